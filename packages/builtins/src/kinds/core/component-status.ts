import type { KubeObject } from '@flotilla/kube';
import { column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';

interface ComponentStatus {
  readonly conditions?: readonly ComponentCondition[];
}

interface ComponentCondition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
  readonly error?: string;
}

/** Computed on request from the health of the server's components; never stored. */
export const componentStatusKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  columns: {
    definitions: [
      nameColumn,
      column('Status', 'string', 'Whether the component is healthy.'),
      column('Message', 'string', 'The message of the component.'),
      column('Error', 'string', 'Why the component could not be checked.'),
    ],
    cells(object) {
      const { conditions = [] } = object as KubeObject & ComponentStatus;
      const healthy = conditions.find(({ type }) => type === 'Healthy');
      const { name = '' } = object.metadata;
      if (healthy === undefined) return [name, 'Unknown', '', ''];
      return [name, healthy.status === 'True' ? 'Healthy' : 'Unhealthy', healthy.message ?? '', healthy.error ?? ''];
    },
  },
};
