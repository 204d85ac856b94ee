import { UserError } from './user-error.ts';

/** Programs that our launchers start. They take flags of other programs, and do not load the command line. */
const programs: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['envtest-apiserver', async (args) => (await import('./envtest/run-apiserver.ts')).runApiserver(args)],
  ['envtest-etcd', async (args) => (await import('./envtest/run-etcd.ts')).runEtcd(args)],
  ['__complete', async (args) => (await import('./completion/print-completion.ts')).printCompletion(args)],
  ['kubectl-fleet', async (args) => (await import('./kubectl-fleet/program.ts')).runFleetCommand(args)],
]);

async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const program = programs.get(name);
  if (program) await program(args);
  else await (await import('./command-line.ts')).runCommand();
}

// A server keeps running when the reader of its output closes the pipe.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

// Clocks and idle connections do not keep a process alive, but a program that waits to try again must not end.
const alive = setInterval(() => undefined, 2 ** 30);

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!isUserOrSystemError(error)) throw error;
  process.stderr.write(`${process.argv[2] === 'kubectl-fleet' ? 'error' : 'flotilla'}: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  clearInterval(alive);
}

/** Only bugs get a stack trace. */
function isUserOrSystemError(error: unknown): error is Error {
  if (error instanceof UserError) return true;
  const isSystemError = error instanceof Error && 'code' in error && 'syscall' in error;
  return isSystemError && /^E[A-Z0-9]+$/.test(String(error.code));
}
