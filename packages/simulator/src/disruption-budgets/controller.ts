import { labelSelectorFrom, LabelSelector, SelectorError, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller, type Watched } from '@flotilla/runtime';
import { kinds, type DisruptionBudget, type Pod } from '../kinds.ts';
import { decideBudget, type BudgetState } from './decide-budget.ts';
import { expectedScaleOf, scaledKinds } from './expected-scale.ts';

/** Kubernetes reads the scale of controllers but does not follow it: pods come and go with it. */
const readOnly = (kind: Watched['kind']): Watched => ({ kind, concerns: () => [] });

export const disruptionController: Controller<BudgetState> = {
  name: 'disruption-controller',
  fieldManager: 'kube-controller-manager',
  eventSource: 'controllermanager',
  watches: [
    { kind: kinds.disruptionBudget, concerns: itself },
    { kind: kinds.pod, concerns: budgetsOf },
    ...scaledKinds.map(readOnly),
  ],
  observe: (key, cache) => {
    const budget = cache.get(kinds.disruptionBudget, key);
    if (budget === undefined) return undefined;
    const pods = selectedPods(budget, cache);
    return dependsOnScale(budget) ? { budget, pods, scale: expectedScaleOf(pods, cache) } : { budget, pods };
  },
  decide: decideBudget,
};

function budgetsOf(now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache): ObjectKey[] {
  const { namespace } = (now ?? old)?.metadata ?? {};
  return cache
    .list(kinds.disruptionBudget, { namespace })
    .filter((budget) => {
      const selector = selectorOf(budget);
      return [now, old].some((pod) => pod !== undefined && selector.matches(pod.metadata.labels));
    })
    .flatMap((budget) => itself(budget, undefined));
}

function selectedPods(budget: Readonly<DisruptionBudget>, cache: Cache): readonly Readonly<Pod>[] {
  const { namespace } = budget.metadata;
  const selector = selectorOf(budget);
  return cache
    .list(kinds.pod, { namespace, labels: budget.spec?.selector?.matchLabels ?? {} })
    .filter(({ metadata }) => selector.matches(metadata.labels));
}

/** Selectors that the server stored before it validated them select nothing. */
function selectorOf({ spec }: Readonly<DisruptionBudget>): LabelSelector {
  try {
    return labelSelectorFrom(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return LabelSelector.nothing;
    throw error;
  }
}

function dependsOnScale({ spec }: Readonly<DisruptionBudget>): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}
