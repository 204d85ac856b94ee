import { UserFault } from './user-error.ts';

/** What launchers of ours become. They take flags of other programs, and what people type is not loaded for them. */
const programs: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['envtest-apiserver', async (args) => (await import('./envtest/run-apiserver.ts')).runApiserver(args)],
  ['envtest-etcd', async (args) => (await import('./envtest/run-etcd.ts')).runEtcd(args)],
]);

async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const program = programs.get(name);
  if (program) await program(args);
  else await (await import('./command-line.ts')).runCommand();
}

// Who reads along may stop to: a server goes on without an audience.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isOutside(error)) throw error;
  process.stderr.write(`flotilla: ${error.message}\n`);
  process.exitCode = 1;
}

/** What the user or the machine can mend is a sentence. A stack trace is for faults of this program. */
function isOutside(error: unknown): error is Error {
  if (error instanceof UserFault) return true;
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystemError && /^E[A-Z0-9]+$/.test(String(error.code));
}
