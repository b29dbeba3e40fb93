import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const commands = fileURLToPath(new URL('../src/commands/', import.meta.url))
export const commandFile = (name: 'serve' | 'start' | 'admin') => `${commands}${name}.ts`
export const nodeFile = fileURLToPath(new URL('./cluster-node.ts', import.meta.url))

export type Ended = { code: number | null; signal: NodeJS.Signals | null; output: string }
export type Command = {
  pid: number
  output: () => string
  /** The first match in what it says; rejects when it ends before. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>
  kill: (signal: NodeJS.Signals) => void
  ended: Promise<Ended>
}

const running = new Set<Command>()

/** One of our commands as a process of its own, with nothing of the test's environment but what is given. */
export function startCommand(file: string, env: Record<string, string>, args: readonly string[] = []): Command {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output }))
  })
  const says = async (pattern: RegExp) => {
    const found = Promise.withResolvers<RegExpExecArray>()
    const look = () => {
      const match = pattern.exec(output)
      if (match) found.resolve(match)
    }
    listeners.add(look)
    look()
    const over = ended.then(() => Promise.reject(new Error(`it ended without saying ${pattern}:\n${output}`)))
    return Promise.race([found.promise, over]).finally(() => listeners.delete(look))
  }
  const command: Command = {
    pid: child.pid ?? 0,
    output: () => output,
    says,
    kill: (signal) => void child.kill(signal),
    ended,
  }
  running.add(command)
  void ended.finally(() => running.delete(command)).catch(() => undefined)
  return command
}

/** Runs to its end. */
export const runCommand = (file: string, env: Record<string, string>, args: readonly string[] = []): Promise<Ended> =>
  startCommand(file, env, args).ended

export async function endAllCommands(): Promise<void> {
  const all = [...running]
  for (const command of all) command.kill('SIGKILL')
  await Promise.all(all.map(({ ended }) => ended))
}

export type ServerProcess = Command & { url: string; port: string }

export async function startServerProcess(file: string, env: Record<string, string>): Promise<ServerProcess> {
  const command = startCommand(file, env)
  const [, url = ''] = await command.says(/"address":"(http:[^"]+)","msg":"listening"/)
  return { ...command, url, port: new URL(url).port }
}
