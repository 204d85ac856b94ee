import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { decideAggregation, type AggregationState } from './decide.ts';

/** Any role may be aggregated into any other, so one key stands for all. */
const allRoles = { name: 'all' };

/** Keeps the rules of aggregated ClusterRoles up to date. */
export const roleAggregationController: Controller<AggregationState> = {
  name: 'clusterrole-aggregation-controller',
  watches: [{ kind: kinds.clusterRole, concerns: () => [allRoles] }],
  observe: (_key, cache) => ({ roles: cache.list(kinds.clusterRole) }),
  decide: decideAggregation,
};
