import type { ApplyStrategy, Work } from '@flotilla/api';

const defaults = {
  type: 'ClientSideApply',
  comparisonOption: 'PartialComparison',
  whenToApply: 'Always',
  whenToTakeOver: 'Always',
} as const satisfies ApplyStrategy;

/** The apply strategy of a Work, with defaults: another hub may omit every field. */
export function strategyOf({ spec }: Pick<Work, 'spec'>): ApplyStrategy {
  return { ...defaults, ...spec?.applyStrategy };
}
