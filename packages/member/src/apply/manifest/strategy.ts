import type { ApplyStrategy, Work } from '@flotilla/api';

const defaults = {
  type: 'ClientSideApply',
  comparisonOption: 'PartialComparison',
  whenToApply: 'Always',
  whenToTakeOver: 'Always',
} as const satisfies ApplyStrategy;

/** How a Work's manifests are applied. A Work need not say so: a hub of another make may leave every field out. */
export function strategyOf({ spec }: Pick<Work, 'spec'>): ApplyStrategy {
  return { ...defaults, ...spec?.applyStrategy };
}
