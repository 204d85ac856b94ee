import { s, type Infer } from '@flotilla/schema';
import { applyStrategy, reportBackStrategyFields } from '../../parts/apply-strategy.ts';

const numberOrPercent = { pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' };

const rollingUpdate = s.object('Limits of a rolling update.', {
  maxUnavailable: s.withDefault(
    s.intOrString(
      'How many clusters may lack the resources at once: a number, or a percentage of the target number.',
      numberOrPercent,
    ),
    '25%',
  ),
  maxSurge: s.withDefault(
    s.intOrString(
      'How many clusters above the target number may have the resources: a number, or a percentage of it.',
      numberOrPercent,
    ),
    '25%',
  ),
  unavailablePeriodSeconds: s.withDefault(
    s.integer('How long to wait for resources whose availability cannot be tracked, in seconds.', { minimum: 0 }),
    60,
  ),
});

const deleteStrategy = s.object('What happens to the resources on the clusters when the placement is deleted.', {
  propagationPolicy: s.withDefault(
    s.oneOf(['Abandon', 'Delete'], 'Abandon keeps them, Delete deletes them.'),
    'Delete',
  ),
});

const reportBackStrategy = s.object(
  'Whether and where statuses of applied objects are reported.',
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

export const rolloutStrategy = s.object('How a change is rolled out to the selected clusters.', {
  type: s.withDefault(
    s.oneOf(
      ['RollingUpdate', 'External'],
      'RollingUpdate updates a few clusters at a time; External leaves it to staged update runs.',
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
