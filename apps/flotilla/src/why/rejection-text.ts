/** Why a cluster is rejected, and what would have to change, in sentences from the scheduler's evidence. */
import type { Taint } from '@flotilla/api';
import type { Evidence, Ineligibility, Rejection, Requirement, TermFailure } from '@flotilla/scheduler';

/** A policy may have hundreds. */
const maxTerms = 3;

export function reasonOf({ evidence, reasons }: Rejection): string {
  switch (evidence.kind) {
    case 'affinity':
      return affinityReason(evidence.terms, reasons);
    case 'taint':
      return `taint ${taintText(evidence.taint)} is not tolerated`;
    case 'spread': {
      const { topologyKey, domain, count, smallest, maxSkew } = evidence;
      return `${topologyKey}=${domain} has ${clusters(count)}, the emptiest domain ${smallest}, and maxSkew is ${maxSkew}`;
    }
    case 'candidates':
    case 'names':
    case 'eligibility':
    case 'namespace':
    case 'plugin':
      return reasons.join(', ');
  }
}

/** `place` is the number of clusters that would include this one. */
export function remedyFor({ evidence }: Rejection, cluster: string, place: number | undefined): string {
  switch (evidence.kind) {
    case 'affinity':
      return affinityRemedy(evidence.terms, cluster);
    case 'taint':
      return `add a toleration for ${taintText(evidence.taint)} to spec.policy, or remove the taint from MemberCluster ${cluster}`;
    case 'spread':
      return place === undefined
        ? `raise maxSkew of ${evidence.topologyKey}`
        : `raise numberOfClusters to ${place}, or maxSkew of ${evidence.topologyKey}`;
    case 'names':
      return `add ${cluster} to spec.policy.clusterNames`;
    case 'eligibility':
      return eligibilityRemedies[evidence.check].replaceAll('NAME', cluster);
    case 'namespace':
      return namespaceRemedy(evidence, cluster);
    case 'plugin':
      return evidence.isFault
        ? `repair the scheduler plugin ${evidence.plugin}`
        : `meet what ${evidence.plugin} requires`;
    case 'candidates':
      return `let the Placement of the annotation flotilla.dev/candidates-from select ${cluster}`;
  }
}

const eligibilityRemedies: Readonly<Record<Ineligibility, string>> = {
  left: 'create MemberCluster NAME again once it is gone',
  offline: 'start the agent of NAME: flotilla join NAME --help',
  silent: 'look at the agent of NAME, and at its network: it does not reach the hub',
  'not joined': 'wait until the agent of NAME has joined: flotilla describe membercluster NAME',
  'health unknown': 'wait until the agent of NAME reports its health',
  unhealthy: 'repair the API server of NAME: its agent reports that it is unhealthy',
};

function affinityReason(terms: readonly TermFailure[], reasons: readonly string[]): string {
  const texts = terms
    .slice(0, maxTerms)
    .map(({ term, unmet }) => `required term ${term} needs ${unmet.map(unmetText).join(' and ')}`);
  if (texts.length === 0) return reasons.join(', ');
  const rest = terms.length - texts.length;
  return [...texts, ...(rest > 0 ? [`${rest} more terms do not match`] : [])].join('; ');
}

function unmetText({ about, requirement, value, problem }: Requirement): string {
  if (problem !== undefined) return `${requirement} (${problem})`;
  if (value !== undefined) return `${requirement}, but it is ${value}`;
  return `${requirement}, but the cluster ${about === 'label' ? 'has no such label' : 'does not report it'}`;
}

/** For the term that the cluster is nearest to. */
function affinityRemedy(terms: readonly TermFailure[], cluster: string): string {
  const [nearest] = terms.toSorted((a, b) => weightOf(a) - weightOf(b));
  if (nearest === undefined) return 'correct the terms of the policy';
  const hopeless = nearest.unmet.find(({ problem }) => problem !== undefined);
  if (hopeless !== undefined) return `correct required term ${nearest.term}`;
  const labels = nearest.unmet.filter(({ about }) => about === 'label').map(({ requirement }) => requirement);
  const properties = nearest.unmet.filter(({ about }) => about === 'property').map(({ requirement }) => requirement);
  const parts = [
    ...(labels.length > 0 ? [`label MemberCluster ${cluster} to meet ${labels.join(',')}`] : []),
    ...(properties.length > 0 ? [`let ${cluster} report ${properties.join(', ')}`] : []),
  ];
  return `${parts.join(' and ')}, or change the term`;
}

/** A cluster cannot change itself to meet a requirement that has a problem. */
function weightOf({ unmet }: TermFailure): number {
  return unmet.reduce((sum, { problem }) => sum + (problem === undefined ? 1 : 1000), 0);
}

function namespaceRemedy({ namespace, isReported }: Extract<Evidence, { kind: 'namespace' }>, cluster: string): string {
  return isReported
    ? `place the namespace ${namespace} on ${cluster} with a ClusterResourcePlacement`
    : `wait until the agent of ${cluster} reports its namespaces`;
}

function taintText({ key, value = '', effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`;
}

function clusters(count: number): string {
  return count === 1 ? '1 chosen cluster' : `${count} chosen clusters`;
}
