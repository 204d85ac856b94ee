import { specHashAnnotation, type ApplyStrategy } from '@flotilla/api';
import type { Patch } from '@flotilla/client';
import { onceFor, type JsonObject, type KubeObject, type ObjectMeta, type OwnerReference } from '@flotilla/kube';
import { manifestHash } from '../compare/manifest-hash.ts';
import { withAnnotation } from './annotations-of.ts';
import { isAppliedAlready } from './is-applied-already.ts';
import { withLastApplied } from './last-applied.ts';
import { withOwner } from './owners.ts';
import { checkOwnersBeforeApply } from './ownership-checks.ts';
import { sanitised } from './sanitised.ts';
import { textOfOwned } from './text-of-owned.ts';
import { threeWayPatch, type MergingPatch, type PatchSchemaLookup } from './three-way-patch.ts';

/** The field manager of all writes, including dry runs. */
export const applyManager = 'work-api-agent';

/** The manager that a server sets for fields from before the first server-side apply. */
const managerBeforeFirstApply = 'before-first-apply';

export interface ApplyState {
  /** Unchanged from the Work. */
  readonly manifest: KubeObject;
  /** Undefined if the member has no such object. */
  readonly live: KubeObject | undefined;
  /** The AppliedWork, which the live object already has as an owner. */
  readonly owner: OwnerReference;
  /** With defaults. */
  readonly strategy: ApplyStrategy;
}

/** The request that applies a manifest, to be sent with the field manager `applyManager`. */
export type ApplyRequest =
  | { readonly verb: 'create'; readonly object: KubeObject }
  | { readonly verb: 'patch'; readonly patch: Patch }
  | { readonly verb: 'apply'; readonly object: KubeObject; readonly force: boolean };

const nothingToMerge: MergingPatch = { type: 'merge', value: {} };

/** Throws an OwnershipRefusal, or a PatchError if a three-way merge is not possible. */
export function planApply(state: ApplyState, patchSchemaOf: PatchSchemaLookup): ApplyRequest {
  const { live, strategy } = state;
  const wanted = wantedObject(state);
  if (strategy.type === 'ServerSideApply') {
    return live === undefined
      ? { verb: 'create', object: wanted }
      : serverSideApply(wanted, live, strategy, strategy.serverSideApplyConfig?.force === true);
  }
  if (strategy.type !== 'ClientSideApply') throw new Error(`unexpected apply strategy ${strategy.type} is found`);
  const { object, isComplete } = withLastApplied(wanted, textOfOwned(wanted, state));
  if (live === undefined) return { verb: 'create', object };
  if (!isComplete) return serverSideApply(object, live, strategy, false);
  const { type, value } = isAppliedAlready(object, live) ? nothingToMerge : threeWayPatch(object, live, patchSchemaOf);
  return { verb: 'patch', patch: { type, value: locked(value, live, strategy) } };
}

/**
 * The dry run of a partial comparison: its result is the live object with all fields of the manifest. Sanitised, because the
 * member would refuse the resourceVersion and managedFields that an enveloped object may have.
 */
export function planDryRun(manifest: KubeObject): Extract<ApplyRequest, { verb: 'apply' }> {
  return { verb: 'apply', object: sanitised(manifest), force: true };
}

function wantedObject({ manifest, live, owner, strategy }: ApplyState): KubeObject {
  checkOwnersBeforeApply({ manifest, live, owner, strategy });
  return withOwner(withHash(manifest), owner);
}

/** The sanitised manifest with its hash, which is the same for all members and rounds. */
const withHash = onceFor((manifest: KubeObject): KubeObject => {
  const object = sanitised(manifest);
  return withAnnotation(object, specHashAnnotation, manifestHash(object));
});

function serverSideApply(wanted: KubeObject, live: KubeObject, strategy: ApplyStrategy, force: boolean): ApplyRequest {
  if (force || !isManagedByUsAlone(live)) return { verb: 'apply', object: locked(wanted, live, strategy), force };
  return { verb: 'apply', object: atVersion(wanted, live), force: true };
}

/**
 * A server treats the agent's creates and applies as two managers, which conflict. Without other managers, force resolves
 * that safely: the resourceVersion protects fields that another client sets meanwhile.
 */
function isManagedByUsAlone({ metadata }: KubeObject): boolean {
  const managers = (metadata.managedFields ?? []).map(({ manager }) => manager);
  return managers.every((manager) => manager === applyManager || manager === managerBeforeFirstApply);
}

/** With IfNotDrifted, the object must not change between the read and the write. */
function locked<T extends JsonObject>(content: T, live: KubeObject, { whenToApply }: ApplyStrategy): T {
  return whenToApply === 'IfNotDrifted' ? atVersion(content, live) : content;
}

function atVersion<T extends JsonObject>(content: T, live: KubeObject): T {
  const metadata = { ...(content['metadata'] as ObjectMeta | undefined), ...versionOf(live) };
  return { ...content, metadata };
}

function versionOf({ metadata: { resourceVersion } }: KubeObject): Pick<ObjectMeta, 'resourceVersion'> {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
