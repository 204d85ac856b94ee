/** Processes one manifest until it has an outcome: reads the object, then executes what `decide` returns. */
import type { Client } from '@flotilla/client';
import { ApiError, isAlreadyExists, isNotFound, keyText, pathSegmentProblems, type KubeObject } from '@flotilla/kube';
import { differencesBetween } from '../../compare/differences.ts';
import { loadPatchSchemas } from '../../merge/three-way-patch.ts';
import { isOwnedBy, withOwners } from '../../merge/owners.ts';
import { OwnershipRefusal, type ConflictWord } from '../../merge/ownership-checks.ts';
import { applyManager, planApply, planDryRun, type ApplyRequest } from '../../merge/plan-apply.ts';
import { decide, decideAfterApply, type Comparison, type PartialOutcome, type WorkContext } from './decide.ts';
import { nameOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';
import type { Prepared } from './prepare-manifests.ts';
import { isFieldConflict, isWriteConflict, problemOf } from './problem-of.ts';
import { upgradedManagedFields } from './upgrade-managed-fields.ts';

export interface ProcessDependencies {
  readonly member: Client;
  readonly context: WorkContext;
  /** True if an informer shows that the member has no such object. */
  readonly isKnownAbsent: (manifest: Prepared) => boolean;
  /** Whether the Work was never applied before, so that its objects are probably absent. */
  readonly isFirstRound: boolean;
}

export async function processManifest(manifest: Prepared, dependencies: ProcessDependencies): Promise<Outcome> {
  return new ManifestProcess(manifest, dependencies).run();
}

/** After so many write conflicts, the manifest fails in this round. Before that, conflicts are not reported. */
const maxConflicts = 3;

class ManifestProcess {
  readonly #manifest: Prepared;
  readonly #dependencies: ProcessDependencies;
  #live: KubeObject | undefined;
  #comparison: Comparison | undefined;
  #conflicts = 0;

  constructor(manifest: Prepared, dependencies: ProcessDependencies) {
    this.#manifest = manifest;
    this.#dependencies = dependencies;
  }

  async run(): Promise<Outcome> {
    const outcome = problemOfKey(this.#manifest) ?? (await this.#start().catch(unexpectedFailure));
    return { identifier: this.#manifest.identifier, live: this.#live, ...outcome };
  }

  async #start(): Promise<PartialOutcome> {
    const { context, isKnownAbsent, isFirstRound } = this.#dependencies;
    // ReportDiff must read first. A create may guess: the server answers AlreadyExists.
    const isGuess = context.strategy.type !== 'ReportDiff' && (isFirstRound || isKnownAbsent(this.#manifest));
    const failed = isGuess ? undefined : await this.#read();
    return failed ?? this.#act(isGuess);
  }

  async #act(isGuess: boolean): Promise<PartialOutcome> {
    for (;;) {
      const action = decide(this.#manifest.object, this.#live, this.#comparison, this.#dependencies.context);
      switch (action.do) {
        case 'finish':
          return action.outcome;
        case 'compare':
          this.#comparison = await this.#compare();
          break;
        case 'take-over': {
          const failed = await this.#takeOver(action.owners);
          if (failed !== undefined) return failed;
          break;
        }
        case 'apply':
          return this.#apply(isGuess);
      }
    }
  }

  async #read(): Promise<PartialOutcome | undefined> {
    const { kind, key } = this.#manifest;
    try {
      this.#live = await this.#dependencies.member.get(kind, key, { mayShare: true });
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      return { result: 'FailedToFindObjInMemberCluster', problem: `the object could not be read: ${problemOf(error)}` };
    }
  }

  /** The object was changed or created meanwhile. */
  async #restart(): Promise<PartialOutcome> {
    this.#live = undefined;
    this.#comparison = undefined;
    return (await this.#read()) ?? this.#act(false);
  }

  async #takeOver(owners: Parameters<typeof withOwners>[1]): Promise<PartialOutcome | undefined> {
    if (this.#live === undefined) return undefined;
    const failed = (problem: string): PartialOutcome => ({ result: 'FailedToTakeOver', problem });
    try {
      this.#live = await this.#dependencies.member.update(this.#manifest.kind, withOwners(this.#live, owners));
    } catch (error) {
      if (this.#shouldRetry(error)) return this.#restart();
      return failed(`the object could not be taken over: ${problemOf(error)}`);
    }
    const isOurs = isOwnedBy(this.#live, this.#dependencies.context.owner);
    return isOurs ? undefined : failed('the member removes the owner reference again; check its admission webhooks');
  }

  async #apply(isGuess: boolean): Promise<PartialOutcome> {
    const { strategy } = this.#dependencies.context;
    try {
      const request = await this.#plan();
      const isUpgraded = request.verb === 'apply' && (await this.#upgradeManagedFields());
      this.#live = await this.#send(isUpgraded ? await this.#plan() : request);
    } catch (error) {
      if (this.#shouldRetry(error) || (isGuess && this.#mayExist(error))) return this.#restart();
      return { result: 'ManifestApplyFailed', problem: problemOfApply(error), ...missingNamespaceOf(error) };
    }
    const isFull = strategy.comparisonOption === 'FullComparison';
    return decideAfterApply(isFull ? await this.#compare() : undefined);
  }

  /** Whether the object may exist after all. Of one that does, a server may also say that it lacks quota or rights to create it. */
  #mayExist(error: unknown): boolean {
    return isAlreadyExists(error) || !this.#dependencies.isKnownAbsent(this.#manifest);
  }

  #shouldRetry(error: unknown): boolean {
    return isWriteConflict(error) && ++this.#conflicts <= maxConflicts;
  }

  async #plan(): Promise<ApplyRequest> {
    const { strategy, owner } = this.#dependencies.context;
    const state = { manifest: this.#manifest.object, live: this.#live, owner, strategy };
    return planApply(state, await patchSchemasFor(this.#live));
  }

  /** Returns false if there is nothing to upgrade. */
  async #upgradeManagedFields(): Promise<boolean> {
    const { kind, key } = this.#manifest;
    const { resourceVersion = '', managedFields: before } = this.#live?.metadata ?? {};
    const managedFields = upgradedManagedFields(before);
    if (managedFields === undefined) return false;
    const value = { metadata: { resourceVersion, managedFields } };
    this.#live = await this.#dependencies.member.patch(kind, key, { type: 'merge', value });
    return true;
  }

  #send(request: ApplyRequest): Promise<KubeObject> {
    const { member } = this.#dependencies;
    const { kind, key } = this.#manifest;
    const options = { fieldManager: applyManager, mayShare: true };
    switch (request.verb) {
      case 'create':
        return member.create(kind, request.object, options);
      case 'apply':
        return member.apply(kind, request.object, { ...options, force: request.force });
      case 'patch':
        if (this.#live !== undefined && changesNothing(request.patch)) return Promise.resolve(this.#live);
        return member.patch(kind, key, request.patch, options);
    }
  }

  async #compare(): Promise<Comparison> {
    const { object: manifest } = this.#manifest;
    const live = this.#live ?? manifest;
    try {
      if (this.#dependencies.context.strategy.comparisonOption === 'FullComparison') {
        return { differences: differencesBetween(manifest, live), isDegraded: false };
      }
      return await this.#comparePartially(manifest, live);
    } catch (error) {
      return { problem: `the object could not be compared with the manifest: ${problemOf(error)}` };
    }
  }

  /** Falls back to a comparison of all fields if the member rejects the manifest as invalid. */
  async #comparePartially(manifest: KubeObject, live: KubeObject): Promise<Comparison> {
    const { object, force } = planDryRun(manifest);
    const options = { fieldManager: applyManager, force, dryRun: true };
    try {
      const wanted = await this.#dependencies.member.apply(this.#manifest.kind, object, options);
      return { differences: differencesBetween(wanted, live), isDegraded: false };
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
      return { differences: differencesBetween(manifest, live), isDegraded: true };
    }
  }
}

/** Name and namespace must form a valid request path. */
function problemOfKey({ kind, key, object }: Prepared): PartialOutcome | undefined {
  const notFindable = (problem: string): PartialOutcome => ({ result: 'FailedToFindObjInMemberCluster', problem });
  if (key.name === '') return notFindable(`the manifest of a ${kind.kind} has no name, so its object cannot be found`);
  const [invalid] = [...pathSegmentProblems(key.name), ...pathSegmentProblems(key.namespace ?? '')];
  if (invalid !== undefined) return notFindable(`invalid name ${JSON.stringify(keyText(key))}: a name ${invalid}`);
  const failed = (problem: string): PartialOutcome => ({ result: 'ManifestApplyFailed', problem });
  if (kind.namespaced && key.namespace === undefined) {
    return failed(`${nameOf(kind, key)} is namespaced, but the manifest has no namespace; set metadata.namespace`);
  }
  if (!kind.namespaced && object.metadata.namespace) {
    return failed(`${kind.kind} ${key.name} is cluster-scoped, but the manifest has a namespace; remove it`);
  }
  return undefined;
}

/** A create needs no patch, so it does not load the schemas. */
async function patchSchemasFor(live: KubeObject | undefined): ReturnType<typeof loadPatchSchemas> {
  return live === undefined ? () => undefined : loadPatchSchemas();
}

/** A bug in the agent must not stop the other manifests. */
function unexpectedFailure(error: unknown): PartialOutcome {
  return { result: 'ManifestApplyFailed', problem: `the manifest could not be processed: ${problemOf(error)}` };
}

function problemOfApply(error: unknown): string {
  if (error instanceof OwnershipRefusal) return problemOf(error);
  if (!isFieldConflict(error)) return `the manifest could not be applied: ${problemOf(error)}`;
  const conflict: ConflictWord = 'ApplyConflictWithOtherApplier';
  return `${conflict}: ${problemOf(error)}; remove these fields from the manifest, or set force in serverSideApplyConfig`;
}

function missingNamespaceOf(error: unknown): Pick<PartialOutcome, 'missingNamespace'> {
  const { kind, name } = (isNotFound(error) && error.status.details) || {};
  return kind === 'namespaces' && name ? { missingNamespace: name } : {};
}

function changesNothing(patch: Extract<ApplyRequest, { verb: 'patch' }>['patch']): boolean {
  return patch.type !== 'json' && Object.keys(patch.value).length === 0;
}
