import type { KindBehavior } from '../../kind.ts';
import { podDisruptionBudgetKind } from './pod-disruption-budget.ts';

/** An Eviction is posted to a pod and asks for nothing that its fields do not say. */
export const policyKinds: readonly KindBehavior[] = [podDisruptionBudgetKind];
