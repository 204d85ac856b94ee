const ipcNames: ReadonlySet<string> = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

/** Which namespace of Linux a kernel setting belongs to; undefined for those of the whole node. */
export function sysctlNamespace(name: string): 'ipc' | 'net' | undefined {
  const dotted = withDots(name);
  if (ipcNames.has(dotted) || dotted.startsWith('fs.mqueue.')) return 'ipc';
  return dotted.startsWith('net.') ? 'net' : undefined;
}

/** `net/ipv4/a.b` is another way to write `net.ipv4.a/b`: the first separator decides. */
function withDots(name: string): string {
  const first = name.search(/[./]/);
  if (first === -1 || name[first] === '.') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
