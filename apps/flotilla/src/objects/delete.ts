import type { DeleteOptions, DiscoveredKind } from '@flotilla/client';
import { ignoreNotFound, isExpired, isNotFound, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { announceServer, type Session } from '../session/session.ts';
import { UserError } from '../user-error.ts';
import { forAll } from './for-all.ts';
import { readManifests } from './manifest-files.ts';
import { ManifestKinds } from './manifest-objects.ts';
import { objectText } from './named-kinds.ts';
import { waitingText } from './waiting-text.ts';
import { namedIn, namespaceFor, readSelected, type SelectionFlags } from './selected-objects.ts';

export interface DeleteFlags extends SelectionFlags {
  readonly filename?: readonly string[];
  readonly recursive?: boolean;
  readonly all?: boolean;
  readonly wait: boolean;
  readonly cascade: 'background' | 'foreground' | 'orphan';
  readonly gracePeriod?: number;
  readonly dryRun?: 'server';
  readonly output?: 'name';
}

interface Target {
  readonly kind: DiscoveredKind;
  readonly key: ObjectKey;
}

interface DeletedObject extends Target {
  readonly uid: string | undefined;
}

/** Deletes objects by name, by selector or by manifest, and waits until they are gone. */
export async function deleteObjects(session: Session, args: readonly string[], flags: DeleteFlags): Promise<void> {
  const targets = await targetsOf(session, args, flags);
  announceServer(session);
  if (targets.length === 0) session.warn('No resources found');
  const deleted: DeletedObject[] = [];
  await forAll(targets, async (target) => {
    // Its namespace may be gone before its turn comes.
    const isInDeleted = deleted.some(({ kind, key }) => isNamespace(kind) && key.name === target.key.namespace);
    const answer = await deleteOne(session, target, isInDeleted ? { ...flags, ignoreNotFound: true } : flags);
    if (answer !== undefined) deleted.push({ ...target, uid: uidIn(answer) });
  }).finally(async () => {
    if (!flags.wait || flags.dryRun !== undefined) return;
    await untilAllGone(session, deleted);
  });
}

function isNamespace({ group, plural }: DiscoveredKind): boolean {
  return group === '' && plural === 'namespaces';
}

async function targetsOf(session: Session, args: readonly string[], flags: DeleteFlags): Promise<Target[]> {
  const targets: Target[] = [];
  if (flags.filename !== undefined) {
    if (args.length > 0) throw new UserError('names and -f exclude each other; leave out one of them.');
    const manifests = await readManifests(flags.filename, flags.recursive);
    const kinds = new ManifestKinds(session, manifests, flags.namespace);
    for (const manifest of manifests) {
      const { kind, object } = await kinds.objectIn(manifest);
      targets.push({ kind, key: keyOf(object) });
    }
    return targets;
  }
  for (const one of await namedIn(session, args, flags)) {
    const { kind, names } = one;
    if (names === undefined && flags.selector === undefined && flags.fieldSelector === undefined && !flags.all) {
      throw new UserError('name the objects to delete, or choose them with -l or --all.');
    }
    if (names !== undefined) {
      const namespace = namespaceFor(session, kind, flags);
      targets.push(...names.map((name) => ({ kind, key: { namespace, name } })));
      continue;
    }
    for await (const { object } of readSelected(session, one, flags, true)) targets.push({ kind, key: keyOf(object) });
  }
  return targets;
}

const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** Undefined if there is no such object, and that is no error. */
async function deleteOne(session: Session, { kind, key }: Target, flags: DeleteFlags): Promise<KubeObject | undefined> {
  const options: DeleteOptions = {
    propagationPolicy: policies[flags.cascade],
    signal: session.signal,
    dryRun: flags.dryRun !== undefined,
    ...(flags.gracePeriod !== undefined && { gracePeriodSeconds: flags.gracePeriod }),
  };
  const deletion = session.hub.delete(kind, key, options);
  const answer = await (flags.ignoreNotFound ? deletion.catch(ignoreNotFound) : deletion);
  if (answer === undefined) return undefined;
  const place = key.namespace === undefined ? '' : ` from ${key.namespace} namespace`;
  const [type = ''] = objectText(kind, '').split('/');
  const how = flags.dryRun === undefined ? '' : ' (server dry run)';
  session.print(flags.output === 'name' ? objectText(kind, key.name) : `${type} "${key.name}" deleted${place}${how}`);
  return answer;
}

/** The answer is the object if it has finalizers, and otherwise a Status with details. */
function uidIn(answer: KubeObject): string | undefined {
  const details = answer['details'] as { readonly uid?: string } | undefined;
  return answer.metadata.uid ?? details?.uid;
}

/** Objects without finalizers are gone long before. */
const silentMs = 2000;

/** Says on standard error what it waits for, if that takes long. */
async function untilAllGone(session: Session, deleted: readonly DeletedObject[]): Promise<void> {
  let waitsFor = '';
  let isLong = false;
  let said = '';
  const say = (): void => {
    if (isLong && waitsFor !== said) session.warn((said = waitsFor));
  };
  const cancel = session.clock.after(silentMs, () => {
    isLong = true;
    say();
  });
  try {
    for (const one of deleted) {
      await untilGone(session, one, (text) => {
        waitsFor = text;
        say();
      });
    }
  } finally {
    cancel();
  }
}

/** An object of the same name with another uid is a new one. */
async function untilGone(
  { hub, signal }: Session,
  { kind, key, uid }: DeletedObject,
  waiting: (text: string) => void,
): Promise<void> {
  for (;;) {
    const current = await hub.get(kind, key, { signal }).catch(ignoreNotFound);
    if (current === undefined || current.metadata.uid !== uid) return;
    waiting(waitingText(kind, current));
    const { resourceVersion = '' } = current.metadata;
    const { namespace, name } = key;
    const options = { resourceVersion, fieldSelector: `metadata.name=${name}`, signal };
    try {
      for await (const { type, object } of hub.watch(kind, {
        ...options,
        ...(namespace !== undefined && { namespace }),
      })) {
        if (type === 'DELETED') return;
        if (type === 'MODIFIED') waiting(waitingText(kind, object));
      }
    } catch (error) {
      if (!isExpired(error) && !isNotFound(error)) throw error;
    }
    signal.throwIfAborted();
  }
}

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return { namespace, name };
}
