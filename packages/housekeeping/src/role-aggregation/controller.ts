import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { decideAggregation, type AggregationState } from './decide.ts';

/** Any role may be a part of any other, so there is one key for all of them. */
const allRoles = { name: 'all' };

/** Keeps the roles that are made of others up to date. */
export const roleAggregationController: Controller<AggregationState> = {
  name: 'clusterrole-aggregation-controller',
  watches: [{ kind: kinds.clusterRole, concerns: () => [allRoles] }],
  observe: (_key, cache) => ({ roles: cache.list(kinds.clusterRole) }),
  decide: decideAggregation,
};
