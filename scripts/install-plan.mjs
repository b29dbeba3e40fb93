import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that belong on this machine. Optional ones count only when they name it: others may rightly be absent. */
export function expectedPackages(lock, mode) {
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link)
    .filter(([, entry]) => mode === 'all' || !(entry.dev || entry.devOptional))
    .filter(([, entry]) => (entry.optional || entry.devOptional || entry.os ? namesThisMachine(entry) : true))
    .map(([path]) => path)
}

function namesThisMachine(entry) {
  if (!entry.os && !entry.cpu) return false
  const libc = process.platform === 'linux' && entry.libc ? entry.libc : undefined
  return (
    allows(entry.os, process.platform) && allows(entry.cpu, process.arch) && (!libc || allows(libc, libcOfMachine()))
  )
}

function allows(list, value) {
  if (!list) return true
  const names = [list].flat()
  return names.some((name) => name.startsWith('!')) ? !names.includes(`!${value}`) : names.includes(value)
}

let knownLibc
function libcOfMachine() {
  knownLibc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return knownLibc
}

export const missingOf = (root, paths) => paths.filter((path) => !existsSync(join(root, path, 'package.json')))

/** npm leaves a record of what it really installed; a machine's own copy of another machine's folder does not pass. */
export function isWhatTheLockfileSays(root, lock, record, mode) {
  const packages = expectedPackages(lock, mode)
  const isSame = (path) =>
    record.packages[path]?.version === lock.packages[path].version &&
    record.packages[path]?.integrity === lock.packages[path].integrity
  return packages.every(isSame) && missingOf(root, packages).length === 0
}

const causes = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|not downloaded|fetch failed/i,
    '无法下载依赖包：请检查网络或代理（npm config get registry），然后重试。\nPackages could not be downloaded: check the network or proxy (npm config get registry), then try again.',
  ],
  [/ENOSPC|no space left/i, '磁盘已满：请腾出约 2 GB 空间后重试。\nThe disk is full: free about 2 GB and try again.'],
  [/EACCES|EPERM|EROFS/i, '没有写入权限：请检查本目录的所有者。\nNo permission to write: check who owns this folder.'],
  [
    /EUSAGE|can only install packages when|in sync/i,
    'package.json 与 package-lock.json 不一致：请运行 npm install。\npackage.json and package-lock.json differ: run npm install.',
  ],
]

export function explain(npmOutput) {
  const [beforeUsage = ''] = npmOutput.split('npm error Clean install a project')
  const lines = beforeUsage.split('\n').map((line) => line.trimEnd())
  const useful = lines
    .filter((line) => !/^$|^npm error( +at .*)?$|complete log of this run|^npm warn|_logs/i.test(line))
    .slice(0, 8)
  const cause = causes.find(([pattern]) => pattern.test(npmOutput))
  const advice =
    cause?.[1] ?? '安装失败，请根据上面的信息处理后重试。\nThe installation failed; see above, then try again.'
  return [...useful, '', advice].join('\n')
}
