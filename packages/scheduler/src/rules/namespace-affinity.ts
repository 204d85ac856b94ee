import { conditionOf, memberClusterConditions } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { Explanation, Rule } from './rule.ts';

/** A namespaced placement goes only to clusters that have its namespace. Clusters that do not report namespaces pass. */
export class NamespaceAffinity implements Rule {
  readonly plugin = 'NamespaceAffinity';
  readonly keepsDomains = false;
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  reject({ cluster: { status } }: ClusterRow): 'unknown' | 'absent' | undefined {
    if (conditionOf(status?.conditions, memberClusterConditions.namespaceCollectionSucceeded) === undefined)
      return undefined;
    if (status?.namespaces === undefined) return 'unknown';
    return Object.hasOwn(status.namespaces, this.#namespace) ? undefined : 'absent';
  }

  explain(rejection: unknown): Explanation {
    const isReported = rejection === 'absent';
    return {
      reasons: [
        isReported ? 'target namespace does not exist on cluster' : 'cluster has no namespace information available',
      ],
      evidence: { kind: 'namespace', namespace: this.#namespace, isReported },
    };
  }
}
