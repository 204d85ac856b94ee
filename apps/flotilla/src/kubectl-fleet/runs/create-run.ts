import {
  clusterFamily,
  namespacedFamily,
  onlyClustersAnnotation,
  placementLabel,
  resourceHashAnnotation,
  resourceIndexLabel,
  type PlacementFamily,
  type UpdateRun,
} from '@flotilla/api';
import { isAlreadyExists } from '@flotilla/kube';
import { UserError } from '../../user-error.ts';
import type { NamespaceFlag } from '../../session/hub-flags.ts';
import type { Session } from '../../session/session.ts';
import { repeatedRun, reverseRun } from './next-run.ts';

export interface NewRunFlags extends NamespaceFlag {
  readonly name?: string;
}

export interface RollbackFlags extends NewRunFlags {
  readonly toIndex?: number;
}

export async function rollBack(session: Session, name: string, flags: RollbackFlags): Promise<void> {
  const { family, run } = await findRun(session, name, flags);
  const { hub, signal } = session;
  const [indexes, { items: runs }] = await Promise.all([
    snapshotIndexes(session, family, run),
    hub.list(family.updateRun, { signal, ...inNamespace(flags) }),
  ]);
  const created = reverseRun(family, run, { ...flags, indexes, runs });
  await create(session, family, created);
  const { placementName, resourceSnapshotIndex } = created.spec;
  const clusters = (created.metadata.annotations?.[onlyClustersAnnotation] ?? '').split(',');
  session.print(`It takes ${placementName} back to resource snapshot ${resourceSnapshotIndex} on ${few(clusters)}.`);
}

export async function rerun(session: Session, name: string, flags: NewRunFlags): Promise<void> {
  const { hub, signal } = session;
  const { family, run } = await findRun(session, name, flags);
  const { items } = await hub.list(family.updateRun, { signal, ...inNamespace(flags), metadataOnly: true });
  const names = new Set(items.map(({ metadata }) => metadata.name ?? ''));
  await create(session, family, repeatedRun(family, run, { ...flags, names }));
}

/** A namespace means a StagedUpdateRun, as in the messages of the hub. */
async function findRun({ hub, signal }: Session, name: string, { namespace }: NamespaceFlag) {
  const family = namespace === undefined ? clusterFamily : namespacedFamily;
  const run = await hub.get(family.updateRun, { namespace, name }, { signal });
  return { family, run };
}

async function snapshotIndexes(
  { hub, signal }: Session,
  { resourceSnapshot }: PlacementFamily,
  { metadata: { namespace }, spec }: UpdateRun,
): Promise<number[]> {
  const labelSelector = `${placementLabel}=${spec.placementName}`;
  const options = { signal, labelSelector, metadataOnly: true, ...inNamespace({ namespace }) };
  const { items } = await hub.list(resourceSnapshot, options);
  return items
    .filter(({ metadata }) => Object.hasOwn(metadata.annotations ?? {}, resourceHashAnnotation))
    .map(({ metadata }) => Number(metadata.labels?.[resourceIndexLabel]))
    .filter((index) => Number.isSafeInteger(index));
}

async function create({ hub, print, signal }: Session, { updateRun }: PlacementFamily, run: UpdateRun): Promise<void> {
  const { name = '' } = run.metadata;
  try {
    await hub.create(updateRun, run, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new UserError(`there is a run ${name} already; name the new one with --name.`, { cause: error });
  }
  print(`${updateRun.kind.toLowerCase()}.${updateRun.group}/${name} created`);
}

function inNamespace({ namespace }: { readonly namespace?: string | undefined }): NamespaceFlag {
  return namespace === undefined ? {} : { namespace };
}

const maxNames = 10;

function few(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
