import { identityOfFiles, type CompleteFiles } from '@flotilla/apiserver';
import { silentLogger } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { observedEngine } from './observed-engine.ts';
import { serve, type Serving, type ServingOptions } from './serve.ts';

export interface BareServerOptions extends ServingOptions {
  /** Read again while the server runs. */
  readonly files: CompleteFiles;
}

/**
 * The API server and nothing beside it, as test suites want it that bring their own controllers: no housekeeping, and no
 * administrator but whom the given authority vouches for.
 */
export async function startBareServer(options: BareServerOptions): Promise<Serving> {
  const { files, ...place } = options;
  const [clock, logger] = [systemClock, silentLogger];
  const lookForIdentity = (): ReturnType<typeof identityOfFiles> => identityOfFiles(files);
  const identity = await lookForIdentity();
  const observed = await observedEngine({ directory: place.dataDirectory, clock, logger });
  try {
    return await serve({
      ...place,
      observed,
      clock,
      logger,
      isBare: true,
      identity,
      lookForIdentity,
      rotationFailed: () => undefined,
    });
  } catch (error) {
    await observed.engine.close();
    throw error;
  }
}
