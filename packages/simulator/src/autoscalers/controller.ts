import {
  keyText,
  labelSelectorFrom,
  labelSelectorFromLabels,
  qualified,
  SelectorError,
  LabelSelector,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { itself, type Cache, type Controller, type Watched } from '@flotilla/runtime';
import { kinds, type Autoscaler, type Pod } from '../kinds.ts';
import { objectText, targetText, type AutoscalerState, type ScaleTarget } from './autoscaler-state.ts';
import { decideAutoscaler } from './decide-autoscaler.ts';
import { hasUsage } from './pod-usage.ts';
import { noHistory, type ScalingHistory } from './scaling-limits.ts';

interface Scaled extends KubeObject {
  spec?: { replicas?: number; selector?: JsonObject };
}

const targetKinds: readonly Kind<Scaled>[] = [
  kinds.deployment,
  kinds.replicaSet,
  kinds.statefulSet,
  kinds.replicationController,
];

interface Observed extends AutoscalerState {
  readonly key: string;
}

/** Remembers what each autoscaler recommended, as Kubernetes does: it shrinks only after a while. */
export function autoscalerController(): Controller<Observed> {
  const histories = new Map<string, ScalingHistory>();
  return {
    name: 'horizontal-pod-autoscaler',
    fieldManager: 'kube-controller-manager',
    watches: [
      { kind: kinds.autoscaler, concerns: itself },
      ...targetKinds.map((kind): Watched => ({
        kind,
        concerns: (now, old, cache) => autoscalersOf(kind, now ?? old, cache),
      })),
      { kind: kinds.pod, concerns: (now, old, cache) => autoscalersOfPod([now, old], cache) },
    ],
    observe: (observedKey, cache) => {
      const key = keyText(observedKey);
      const autoscaler = cache.get(kinds.autoscaler, observedKey);
      if (autoscaler === undefined) {
        histories.delete(key);
        return undefined;
      }
      const target = targetOf(autoscaler, cache);
      const pods = 'failure' in target ? [] : selectedPods(autoscaler, selectorOf(target.kind, target.object), cache);
      const rivals = rivalsOf(autoscaler, pods, cache);
      return { key, autoscaler, target, pods, rivals, history: histories.get(key) ?? noHistory };
    },
    decide: (state, now) => {
      const { plan, history } = decideAutoscaler(state, now);
      histories.set(state.key, history);
      return plan;
    },
  };
}

function autoscalersOf(kind: Kind, object: KubeObject | undefined, cache: Cache): ObjectKey[] {
  if (object === undefined) return [];
  const target = objectText(kind, object);
  return cache
    .list(kinds.autoscaler, { namespace: object.metadata.namespace })
    .filter((autoscaler) => targetText(autoscaler) === target)
    .flatMap((autoscaler) => itself(autoscaler, undefined));
}

/** Pods concern an autoscaler only if they say what they use. */
function autoscalersOfPod(pods: readonly (KubeObject | undefined)[], cache: Cache): ObjectKey[] {
  const measured = pods.filter((pod) => pod !== undefined).filter(hasUsage);
  const namespace = measured[0]?.metadata.namespace;
  if (namespace === undefined) return [];
  return cache
    .list(kinds.autoscaler, { namespace })
    .filter((autoscaler) => {
      const target = targetOf(autoscaler, cache);
      if ('failure' in target) return false;
      const selector = selectorOf(target.kind, target.object);
      return measured.some(({ metadata }) => selector.matches(metadata.labels));
    })
    .flatMap((autoscaler) => itself(autoscaler, undefined));
}

function targetOf(autoscaler: Readonly<Autoscaler>, cache: Cache): ScaleTarget | { readonly failure: string } {
  const { apiVersion = '', kind: kindName = '', name = '' } = autoscaler.spec?.scaleTargetRef ?? {};
  const [group] = apiVersion.includes('/') ? apiVersion.split('/', 1) : [''];
  const kind = targetKinds.find((one) => one.kind === kindName && one.group === group);
  if (kind === undefined) return { failure: `no matches for kind "${kindName}" in group "${group}"` };
  const object = cache.get(kind, { namespace: autoscaler.metadata.namespace, name });
  if (object === undefined) return { failure: `${qualified(kind.plural, kind.group)} "${name}" not found` };
  return { kind, object, replicas: object.spec?.replicas ?? 1, selector: selectorOf(kind, object).toString() };
}

function selectorOf(kind: Kind, { spec }: Readonly<Scaled>): LabelSelector {
  const { selector } = spec ?? {};
  try {
    return kind === kinds.replicationController
      ? labelSelectorFromLabels(selector as Record<string, string> | undefined)
      : labelSelectorFrom(selector);
  } catch (error) {
    if (error instanceof SelectorError) return LabelSelector.nothing;
    throw error;
  }
}

function selectedPods(
  { metadata }: Readonly<Autoscaler>,
  selector: LabelSelector,
  cache: Cache,
): readonly Readonly<Pod>[] {
  const all = cache.list(kinds.pod, { namespace: metadata.namespace });
  return all.filter((pod) => selector.matches(pod.metadata.labels));
}

/** The autoscalers of these pods, if there are several. */
function rivalsOf(autoscaler: Readonly<Autoscaler>, pods: readonly Readonly<Pod>[], cache: Cache): string[] {
  const { namespace } = autoscaler.metadata;
  const all = cache.list(kinds.autoscaler, { namespace });
  if (all.length < 2) return [];
  return all
    .filter((other) => {
      const target = targetOf(other, cache);
      if ('failure' in target) return false;
      const selector = selectorOf(target.kind, target.object);
      return pods.some(({ metadata }) => selector.matches(metadata.labels));
    })
    .map(({ metadata }) => `${namespace}/${metadata.name}`);
}
