/** How a change is rolled out to the selected clusters. */
import { s, type Infer } from '@flotilla/schema';
import { applyStrategy, reportBackStrategyFields } from '../../parts/apply-strategy.ts';

const countOrShare = { pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' };

const rollingUpdate = s.object('How fast a change travels.', {
  maxUnavailable: s.withDefault(
    s.intOrString(
      'How many clusters may be without the resources at once: a count, or a share of the wanted number.',
      countOrShare,
    ),
    '25%',
  ),
  maxSurge: s.withDefault(
    s.intOrString(
      'How many clusters beyond the wanted number may have the resources: a count, or a share of that number.',
      countOrShare,
    ),
    '25%',
  ),
  unavailablePeriodSeconds: s.withDefault(
    s.integer('How long resources whose readiness cannot be told are given to become ready.', { minimum: 0 }),
    60,
  ),
});

const deleteStrategy = s.object('What becomes of the resources on the clusters when the placement is deleted.', {
  propagationPolicy: s.withDefault(
    s.oneOf(['Abandon', 'Delete'], 'Abandon leaves them where they are, Delete deletes them.'),
    'Delete',
  ),
});

const reportBackStrategy = s.object(
  'Whether, and where to, the status of applied objects comes back to the hub.',
  reportBackStrategyFields,
  {
    rules: [
      {
        rule: "(self == null) || (self.type == 'Mirror' ? size(self.destination) != 0 : true)",
        message: "when reportBackStrategy.type is 'Mirror', a destination must be specified",
      },
    ],
  },
);

export const rolloutStrategy = s.object('How a change reaches the chosen clusters.', {
  type: s.withDefault(
    s.oneOf(
      ['RollingUpdate', 'External'],
      'RollingUpdate moves a few clusters at a time; External leaves it to staged update runs.',
      {
        rules: [
          {
            rule: "!(self != 'External' && oldSelf == 'External')",
            message: "cannot change rollout strategy type from 'External' to other types",
          },
        ],
      },
    ),
    'RollingUpdate',
  ),
  rollingUpdate: s.optional(rollingUpdate),
  applyStrategy: s.optional(applyStrategy),
  deleteStrategy: s.optional(deleteStrategy),
  reportBackStrategy: s.optional(reportBackStrategy),
});

export type RolloutStrategy = Infer<typeof rolloutStrategy>;
export type RollingUpdate = Infer<typeof rollingUpdate>;
export type DeleteStrategy = Infer<typeof deleteStrategy>;
