/** One manifest from the look at the member to its outcome: asks what to do next, and does it. */
import type { Client } from '@flotilla/client';
import { ApiError, isAlreadyExists, isNotFound, keyText, pathSegmentProblems, type KubeObject } from '@flotilla/kube';
import { differencesBetween } from '../../compare/differences.ts';
import { loadPatchSchemas } from '../../merge/load-patch-schemas.ts';
import { isOwnedBy, withOwners } from '../../merge/owners.ts';
import { OwnershipRefusal, type ConflictWord } from '../../merge/ownership-checks.ts';
import { applyManager, planApply, planDryRun, type ApplyRequest } from '../../merge/plan-apply.ts';
import { claimedFields } from './upgrade-managed-fields.ts';
import { decide, decideAfterApply, type Comparison, type End, type Terms } from './decide.ts';
import { nameOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';
import type { Prepared } from './prepare-manifests.ts';
import { isFieldConflict, isLostRace, problemOf } from './problem-of.ts';

export interface Surroundings {
  readonly member: Client;
  readonly terms: Terms;
  /** True when the member need not be asked: it has no such object. */
  readonly isKnownAbsent: (manifest: Prepared) => boolean;
}

export async function processManifest(manifest: Prepared, surroundings: Surroundings): Promise<Outcome> {
  return new ManifestSteps(manifest, surroundings).run();
}

/** Who loses a race looks again, and does not tell the hub of it; but not for ever. */
const maxLostRaces = 3;

class ManifestSteps {
  readonly #manifest: Prepared;
  readonly #surroundings: Surroundings;
  #live: KubeObject | undefined;
  #comparison: Comparison | undefined;
  #lostRaces = 0;

  constructor(manifest: Prepared, surroundings: Surroundings) {
    this.#manifest = manifest;
    this.#surroundings = surroundings;
  }

  async run(): Promise<Outcome> {
    const end = problemOfPlace(this.#manifest) ?? (await this.#steps().catch(unexpected));
    return { identifier: this.#manifest.identifier, live: this.#live, ...end };
  }

  async #steps(): Promise<End> {
    const isGuess = this.#mayGuess() && this.#surroundings.isKnownAbsent(this.#manifest);
    const failed = isGuess ? undefined : await this.#look();
    if (failed !== undefined) return failed;
    return this.#act(isGuess);
  }

  async #act(isGuess: boolean): Promise<End> {
    for (;;) {
      const action = decide(this.#manifest.object, this.#live, this.#comparison, this.#surroundings.terms);
      switch (action.do) {
        case 'finish':
          return action.end;
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

  /** Who only reports must see; who creates is told by the server when he was wrong. */
  #mayGuess(): boolean {
    return this.#surroundings.terms.strategy.type !== 'ReportDiff';
  }

  async #look(): Promise<End | undefined> {
    const { kind, key } = this.#manifest;
    try {
      this.#live = await this.#surroundings.member.get(kind, key);
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      return { result: 'FailedToFindObjInMemberCluster', problem: `the object could not be read: ${problemOf(error)}` };
    }
  }

  /** The object is not what we took it for. */
  async #again(): Promise<End> {
    this.#live = undefined;
    this.#comparison = undefined;
    return (await this.#look()) ?? this.#act(false);
  }

  async #takeOver(owners: Parameters<typeof withOwners>[1]): Promise<End | undefined> {
    if (this.#live === undefined) return undefined;
    const failed = (problem: string): End => ({ result: 'FailedToTakeOver', problem });
    try {
      this.#live = await this.#surroundings.member.update(this.#manifest.kind, withOwners(this.#live, owners));
    } catch (error) {
      if (this.#mayTryAgain(error)) return this.#again();
      return failed(`the object could not be taken over: ${problemOf(error)}`);
    }
    const isOurs = isOwnedBy(this.#live, this.#surroundings.terms.owner);
    return isOurs ? undefined : failed('the member takes our ownership off the object again; look for a webhook there');
  }

  async #apply(isGuess: boolean): Promise<End> {
    const { terms } = this.#surroundings;
    try {
      const request = await this.#plan();
      const isClaimed = request.verb === 'apply' && (await this.#claimFields());
      this.#live = await this.#send(isClaimed ? await this.#plan() : request);
    } catch (error) {
      if (this.#mayTryAgain(error) || (isGuess && isAlreadyExists(error))) return this.#again();
      return { result: 'ManifestApplyFailed', problem: sentenceOfFailedApply(error), ...missing(error) };
    }
    const isFull = terms.strategy.comparisonOption === 'FullComparison';
    return decideAfterApply(isFull ? await this.#compare() : undefined);
  }

  #mayTryAgain(error: unknown): boolean {
    return isLostRace(error) && ++this.#lostRaces <= maxLostRaces;
  }

  async #plan(): Promise<ApplyRequest> {
    const { strategy, owner } = this.#surroundings.terms;
    const state = { manifest: this.#manifest.object, live: this.#live, owner, strategy };
    return planApply(state, await patchSchemasFor(this.#live));
  }

  /** Whether there was something to claim. */
  async #claimFields(): Promise<boolean> {
    const { kind, key } = this.#manifest;
    const { resourceVersion = '', managedFields: before } = this.#live?.metadata ?? {};
    const managedFields = claimedFields(before);
    if (managedFields === undefined) return false;
    const value = { metadata: { resourceVersion, managedFields } };
    this.#live = await this.#surroundings.member.patch(kind, key, { type: 'merge', value });
    return true;
  }

  #send(request: ApplyRequest): Promise<KubeObject> {
    const { member } = this.#surroundings;
    const { kind, key } = this.#manifest;
    const options = { fieldManager: applyManager };
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
      if (this.#surroundings.terms.strategy.comparisonOption === 'FullComparison') {
        return { differences: differencesBetween(manifest, live), isDegraded: false };
      }
      return await this.#comparePartially(manifest, live);
    } catch (error) {
      return { problem: `the object could not be compared with the manifest: ${problemOf(error)}` };
    }
  }

  /** A manifest that the member calls invalid can still be compared field by field. */
  async #comparePartially(manifest: KubeObject, live: KubeObject): Promise<Comparison> {
    const { object, force } = planDryRun(manifest);
    const options = { fieldManager: applyManager, force, dryRun: true };
    try {
      const wanted = await this.#surroundings.member.apply(this.#manifest.kind, object, options);
      return { differences: differencesBetween(wanted, live), isDegraded: false };
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'Invalid') throw error;
      return { differences: differencesBetween(manifest, live), isDegraded: true };
    }
  }
}

/** What no request could be made for. */
function problemOfPlace({ kind, key, object }: Prepared): End | undefined {
  const notFindable = (problem: string): End => ({ result: 'FailedToFindObjInMemberCluster', problem });
  if (key.name === '') return notFindable(`the manifest of a ${kind.kind} has no name, so its object cannot be found`);
  const [odd] = [...pathSegmentProblems(key.name), ...pathSegmentProblems(key.namespace ?? '')];
  if (odd !== undefined) return notFindable(`nothing can be called ${JSON.stringify(keyText(key))}: a name ${odd}`);
  const failed = (problem: string): End => ({ result: 'ManifestApplyFailed', problem });
  if (kind.namespaced && key.namespace === undefined) {
    return failed(`${nameOf(kind, key)} belongs into a namespace, and the manifest names none`);
  }
  if (!kind.namespaced && object.metadata.namespace) {
    return failed(`${kind.kind} ${key.name} belongs to no namespace, and the manifest names one`);
  }
  return undefined;
}

/** What is created needs no patch. */
async function patchSchemasFor(live: KubeObject | undefined): ReturnType<typeof loadPatchSchemas> {
  return live === undefined ? () => undefined : loadPatchSchemas();
}

/** A manifest that our own code stumbles over must not keep the others from being applied. */
function unexpected(error: unknown): End {
  return { result: 'ManifestApplyFailed', problem: `the manifest could not be worked on: ${problemOf(error)}` };
}

function sentenceOfFailedApply(error: unknown): string {
  if (error instanceof OwnershipRefusal) return problemOf(error);
  if (!isFieldConflict(error)) return `the manifest could not be applied: ${problemOf(error)}`;
  const conflict: ConflictWord = 'ApplyConflictWithOtherApplier';
  return `${conflict}: ${problemOf(error)}; leave these fields to the other, or set force in serverSideApplyConfig`;
}

/** Where there is no namespace, the manifest waits for it. */
function missing(error: unknown): Pick<End, 'missingNamespace'> {
  const { kind, name } = (isNotFound(error) && error.status.details) || {};
  return kind === 'namespaces' && name ? { missingNamespace: name } : {};
}

function changesNothing(patch: Extract<ApplyRequest, { verb: 'patch' }>['patch']): boolean {
  return patch.type !== 'json' && Object.keys(patch.value).length === 0;
}
