/** Which policies apply to a request, with which bindings and parameters. Both kinds of policies share this. */
import type { KubeObject } from '@flotilla/kube';
import { inMatchedVersion, type VersionedObjects } from '../matching/versioned-objects.ts';
import type { MatchedResource } from '../matching/match-criteria.ts';
import { namespaceOf } from '../matching/requested-object.ts';
import type { Attributes } from '../admission.ts';
import type { ActivePolicy, Binding, Policy } from './active-policies.ts';
import { collectParams, faultMessage, findParamKind, type Params } from './params.ts';

/** A policy to evaluate for a request, with one parameter object if it has any. */
export interface Invocation<P extends Policy> {
  readonly policy: P;
  readonly binding: Binding;
  readonly matched: MatchedResource;
  readonly objects: VersionedObjects;
  readonly param: KubeObject | undefined;
}

/** A policy that cannot be evaluated. Its failure policy decides what that means. */
export interface Misconfigured<P extends Policy> {
  readonly policy: P;
  /** Undefined if the policy itself is at fault. */
  readonly binding: Binding | undefined;
  readonly message: string;
}

export type Step<P extends Policy> = Invocation<P> | Misconfigured<P>;

/** A binding whose objects or parameters may have to be converted first. */
interface Pending<P extends Policy> {
  readonly policy: P;
  readonly binding: Binding;
  readonly matched: MatchedResource;
  readonly params: Params | Promise<Params>;
  readonly objects: VersionedObjects | Promise<VersionedObjects>;
}

/** In the order of policies and bindings. Async only if a conversion webhook is called. */
export function stepsFor<P extends Policy>(
  attributes: Attributes,
  candidates: readonly ActivePolicy<P>[],
): readonly Step<P>[] | Promise<readonly Step<P>[]> {
  const found: (Pending<P> | Misconfigured<P>)[] = [];
  for (const active of candidates) collectSteps(attributes, active, found);
  if (found.some(isWaiting)) return Promise.all(found.map((step) => settled(step))).then((steps) => steps.flat());
  const steps: Step<P>[] = [];
  for (const step of found) addSteps(step, steps);
  return steps;
}

function collectSteps<P extends Policy>(
  attributes: Attributes,
  { policy, bindings, criteria }: ActivePolicy<P>,
  found: (Pending<P> | Misconfigured<P>)[],
): void {
  const { server } = attributes;
  try {
    const matched = criteria.match(attributes);
    if (!matched) return;
    const { paramKind } = policy.spec;
    const kind = paramKind && findParamKind(server, paramKind);
    let objects: Pending<P>['objects'] | undefined;
    for (const binding of bindings) {
      try {
        if (binding.criteria && !binding.criteria.match(attributes)) continue;
        const params = collectParams(server, kind, binding.spec.paramRef, namespaceOf(attributes));
        objects ??= inMatchedVersion(attributes, matched);
        found.push({ policy, binding, matched, params, objects });
      } catch (error) {
        found.push({ policy, binding, message: `failed to configure binding: ${faultMessage(error)}` });
      }
    }
  } catch (error) {
    found.push({ policy, binding: undefined, message: `failed to configure policy: ${faultMessage(error)}` });
  }
}

function isWaiting<P extends Policy>(step: Pending<P> | Misconfigured<P>): boolean {
  return 'params' in step && (step.params instanceof Promise || step.objects instanceof Promise);
}

async function settled<P extends Policy>(step: Pending<P> | Misconfigured<P>): Promise<readonly Step<P>[]> {
  if ('message' in step) return [step];
  try {
    const [params, objects] = await Promise.all([step.params, step.objects]);
    const steps: Step<P>[] = [];
    addSteps({ ...step, params, objects }, steps);
    return steps;
  } catch (error) {
    const { policy, binding } = step;
    const why = `failed to configure binding: failed to convert object version: ${faultMessage(error)}`;
    return [{ policy, binding, message: why }];
  }
}

/** The step must not be waiting. */
function addSteps<P extends Policy>(step: Pending<P> | Misconfigured<P>, steps: Step<P>[]): void {
  if ('message' in step) {
    steps.push(step);
    return;
  }
  const { policy, binding, matched } = step;
  const objects = step.objects as VersionedObjects;
  for (const param of step.params as Params) steps.push({ policy, binding, matched, objects, param });
}
