import { specHashAnnotation, type ApplyStrategy } from '@flotilla/api';
import type { Patch } from '@flotilla/client';
import type { JsonObject, KubeObject, ObjectMeta, OwnerReference } from '@flotilla/kube';
import { manifestHash } from '../compare/manifest-hash.ts';
import { withAnnotation } from './annotations-of.ts';
import { withLastApplied } from './last-applied.ts';
import { withOwner } from './owners.ts';
import { checkOwnersBeforeApply } from './ownership-checks.ts';
import { sanitised } from './sanitised.ts';
import { threeWayPatch, type PatchSchemaLookup } from './three-way-patch.ts';

/** In whose name objects are created, patched and applied, also in dry runs. */
export const applyManager = 'work-api-agent';

/** Whom a server names as the manager of what was there before the first server-side apply. */
const managerBeforeFirstApply = 'before-first-apply';

export interface ApplyState {
  /** As it stands in the Work. */
  readonly manifest: KubeObject;
  /** Undefined: the member has no such object. */
  readonly live: KubeObject | undefined;
  /** Reference to the AppliedWork, which the live object already names. */
  readonly owner: OwnerReference;
  /** With its defaults. */
  readonly strategy: ApplyStrategy;
}

/** The one request that brings an object to what its manifest says; sent in the name of `applyManager`. */
export type ApplyRequest =
  | { readonly verb: 'create'; readonly object: KubeObject }
  | { readonly verb: 'patch'; readonly patch: Patch }
  | { readonly verb: 'apply'; readonly object: KubeObject; readonly force: boolean };

/** Throws an OwnershipRefusal, or a PatchError when a three-way merge is not possible. */
export function planApply(state: ApplyState, patchSchemaOf: PatchSchemaLookup): ApplyRequest {
  const { live, strategy } = state;
  const wanted = wantedObject(state);
  if (strategy.type === 'ServerSideApply') {
    return live === undefined
      ? { verb: 'create', object: wanted }
      : serverSideApply(wanted, live, strategy, strategy.serverSideApplyConfig?.force === true);
  }
  if (strategy.type !== 'ClientSideApply') throw new Error(`unexpected apply strategy ${strategy.type} is found`);
  const { object, isRemembered } = withLastApplied(wanted);
  if (live === undefined) return { verb: 'create', object };
  if (!isRemembered) return serverSideApply(object, live, strategy, false);
  const { type, value } = threeWayPatch(object, live, patchSchemaOf);
  return { verb: 'patch', patch: { type, value: locked(value, live, strategy) } };
}

/**
 * The dry run of a partial comparison: what would become of the live object if the manifest had its way. What an enveloped
 * object brought from another server (a version, managed fields) would only make the member refuse it, so it is left out.
 */
export function planDryRun(manifest: KubeObject): Extract<ApplyRequest, { verb: 'apply' }> {
  return { verb: 'apply', object: sanitised(manifest), force: true };
}

function wantedObject({ manifest, live, owner, strategy }: ApplyState): KubeObject {
  const object = sanitised(manifest);
  const hashed = withAnnotation(object, specHashAnnotation, manifestHash(object));
  checkOwnersBeforeApply({ manifest, live, owner, strategy });
  return withOwner(hashed, owner);
}

function serverSideApply(wanted: KubeObject, live: KubeObject, strategy: ApplyStrategy, force: boolean): ApplyRequest {
  if (force || !isManagedByUsAlone(live)) return { verb: 'apply', object: locked(wanted, live, strategy), force };
  return { verb: 'apply', object: atVersion(wanted, live), force: true };
}

/**
 * A server takes us as creator and us as applier for two managers, who would be in conflict. Where nobody else has a say,
 * force ends that without taking anything from anybody; somebody who comes in between is kept safe by the version.
 */
function isManagedByUsAlone({ metadata }: KubeObject): boolean {
  const managers = (metadata.managedFields ?? []).map(({ manager }) => manager);
  return managers.every((manager) => manager === applyManager || manager === managerBeforeFirstApply);
}

/** An object that may only be applied while it has not drifted must not change between the look and the write. */
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
