import { s, type Infer } from '@flotilla/schema';

/** Whether the statuses of applied objects come back to the hub. Placements add a rule of their own. */
export const reportBackStrategyFields = {
  type: s.requiredWithDefault(
    s.oneOf(['Disabled', 'Mirror'], 'Disabled reports nothing; Mirror copies the status that the member sees.'),
    'Disabled',
  ),
  destination: s.optional(
    s.oneOf(
      ['OriginalResource', 'WorkAPI'],
      'Where statuses go: onto the object on the hub that was placed, or into the Work.',
    ),
  ),
} as const;

export const reportBackStrategy = s.object(
  'How the statuses of applied objects come back to the hub.',
  reportBackStrategyFields,
);

export type ReportBackStrategy = Infer<typeof reportBackStrategy>;
