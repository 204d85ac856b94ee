import type { KubeObject } from '@flotilla/kube';
import { announceServer, type Session } from '../session/session.ts';
import { forAll } from './for-all.ts';
import { readManifests } from './manifest-files.ts';
import { ManifestKinds } from './manifest-objects.ts';
import { objectText } from './named-kinds.ts';
import { objectsText, type ObjectFormat } from './print-object.ts';

export interface ApplyFlags {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly namespace?: string;
  readonly forceConflicts?: boolean;
  readonly dryRun?: 'server';
  readonly fieldManager: string;
  readonly output?: ObjectFormat | 'name';
}

/** Applies manifests with server-side apply, in their order. */
export async function applyManifests(session: Session, flags: ApplyFlags): Promise<void> {
  const { output, forceConflicts = false, fieldManager } = flags;
  const dryRun = flags.dryRun === 'server';
  const manifests = await readManifests(flags.filename, flags.recursive);
  const kinds = new ManifestKinds(session, manifests, flags.namespace);
  const applied: KubeObject[] = [];
  announceServer(session);
  await forAll(manifests, async (manifest) => {
    const { kind, object } = await kinds.objectIn(manifest);
    const options = { fieldManager, force: forceConflicts, dryRun, signal: session.signal };
    const result = await session.hub.apply<KubeObject>(kind, object, options);
    const text = objectText(kind, result.metadata.name ?? '');
    if (output === undefined) session.print(`${text} serverside-applied${dryRun ? ' (server dry run)' : ''}`);
    else if (output === 'name') session.print(text);
    else applied.push(result);
  }).finally(() => {
    if (output !== undefined && output !== 'name') {
      session.print(objectsText(applied, output, manifests.length !== 1));
    }
  });
}
