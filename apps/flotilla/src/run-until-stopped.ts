import type { Kubeconfig } from '@flotilla/fleet/server';
import { writeKubeconfigs, type KubeconfigFile } from './kubeconfig-file.ts';
import { print } from './server-flags.ts';
import { stopSignal } from './stop-signal.ts';

interface Running {
  /** The administrator's access to each server. */
  readonly accesses: readonly Kubeconfig[];
  /** Prints what runs, and the kubeconfig to use if there is one. */
  readonly announce: (kubeconfig: string | undefined) => void | Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Writes kubeconfigs, announces what runs, and stops it on SIGINT or SIGTERM. */
export async function runUntilStopped(files: readonly KubeconfigFile[], running: Running): Promise<void> {
  // Before the kubeconfig is written: scripts wait for the file and may stop the server at once.
  const stopped = stopSignal();
  try {
    await writeKubeconfigs(files, running.accesses);
    await running.announce(files.at(-1)?.path);
    await stopped;
    // A terminal has echoed ^C at the beginning of the line.
    print(process.stdout.isTTY ? '\nStopping.' : 'Stopping.');
  } finally {
    await running.stop();
  }
}
