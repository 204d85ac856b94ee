import { UserFault } from './user-fault.ts';

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

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UserFault)) throw error;
  process.stderr.write(`flotilla: ${error.message}\n`);
  process.exitCode = 1;
}
