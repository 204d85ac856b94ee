import { Command } from 'commander';
import { stopSignal } from '../stop-signal.ts';
import { UserFault } from '../user-fault.ts';

/** What the launcher `envtest/kube-apiserver` becomes. */
export function envtestApiserverCommand(): Command {
  return new Command('envtest-apiserver')
    .argument('[flags...]')
    .helpOption(false)
    .allowUnknownOption()
    .action((flags: string[]) => run(flags));
}

async function run(args: readonly string[]): Promise<void> {
  const [{ startServer }, { apiserverOptions }, { ProgramFlags }] = await Promise.all([
    import('@flotilla/fleet'),
    import('../envtest/apiserver-options.ts'),
    import('../envtest/program-flags.ts'),
  ]);
  const stopped = stopSignal();
  const server = await startServer(await apiserverOptions(new ProgramFlags(args))).catch((error: unknown) => {
    throw explained(error);
  });
  await stopped;
  await server.close();
}

/** Faults that the suite can mend become sentences. */
function explained(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code ?? '') ? new UserFault(`${message}.`) : error;
}
