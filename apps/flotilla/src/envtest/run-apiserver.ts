import { startBareServer } from '@flotilla/fleet/server';
import { stopSignal } from '../stop-signal.ts';
import { explainedData } from '../server-flags.ts';
import { UserFault } from '../user-error.ts';
import { apiserverOptions } from './apiserver-options.ts';
import { ProgramFlags } from './program-flags.ts';

/** What the launcher `envtest/kube-apiserver` becomes. */
export async function runApiserver(args: readonly string[]): Promise<void> {
  const stopped = stopSignal();
  const server = await startBareServer(await apiserverOptions(new ProgramFlags(args))).catch((error: unknown) => {
    throw explained(error);
  });
  await stopped;
  await server.stop();
}

/** Faults that the suite can mend become sentences. */
function explained(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code ?? '') ? new UserFault(`${message}.`) : explainedData(error);
}
