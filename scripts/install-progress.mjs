const lineEveryMs = 5_000

/** A moving line on a terminal; in a log, a line now and then. On stderr, so that stdout stays the command's own. */
export function showProgress(total, countPresent, out = process.stderr) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const text = () => `安装依赖 Installing packages: ${countPresent()}/${total}, ${seconds()} s`
  const write = out.isTTY ? () => out.write(`\r\x1b[K${text()}`) : () => out.write(`${text()}\n`)
  write()
  const timer = setInterval(write, out.isTTY ? 250 : lineEveryMs)
  return {
    stop() {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\x1b[K')
    },
    done() {
      out.write(`依赖已就绪 Packages are ready (${total}, ${seconds()} s)\n`)
    },
  }
}
