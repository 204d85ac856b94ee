import { nameIsDnsSubdomain, type KubeObject } from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn } from '../../columns/column-definition.ts';
import type { KindBehavior } from '../../kind.ts';
import { flowPreparation, flowStatus } from './flow-status.ts';
import { priorityLevelSpecOf } from './priority-level-fields.ts';
import { validatePriorityLevel } from './priority-level-validation.ts';

export const priorityLevelConfigurationKind: KindBehavior = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  nameRule: nameIsDnsSubdomain,
  ...flowPreparation,
  setDefaults: setPriorityLevelDefaults,
  validate: validatePriorityLevel,
  validateUpdate: validatePriorityLevel,
  subresources: { status: flowStatus },
  columns: {
    definitions: [
      nameColumn,
      column('Type', 'string', 'Whether requests are limited or exempt.'),
      column('NominalConcurrencyShares', 'string', 'Its share of the requests that the server handles at once.'),
      column('Queues', 'string', 'How many queues there are.'),
      column('HandSize', 'string', 'How many queues each flow may use.'),
      column('QueueLengthLimit', 'string', 'How many requests fit into a queue.'),
      ageColumn,
    ],
    cells(object, now) {
      const { type = '', limited } = priorityLevelSpecOf(object);
      const queuing = limited?.limitResponse?.queuing;
      return [
        object.metadata.name ?? '',
        type,
        limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
        queuing === undefined ? '<none>' : (queuing.queues ?? 0),
        queuing === undefined ? '<none>' : (queuing.handSize ?? 0),
        queuing === undefined ? '<none>' : (queuing.queueLengthLimit ?? 0),
        age(object, now),
      ];
    },
  },
};

function setPriorityLevelDefaults(object: KubeObject): void {
  const { exempt, limited } = priorityLevelSpecOf(object);
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
