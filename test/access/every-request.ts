/** Every verb on every resource in every scope, with the expected message of a refusal. */
import { servedResources } from '@flotilla/builtins';
import { qualified } from '@flotilla/kube';
import { namespaces } from './accounts.ts';

export interface MatrixRequest {
  readonly method: string;
  readonly target: string;
  /** As in the table of allowed.ts. */
  readonly scope: string;
  readonly verb: string;
  /** `deployments/scale.apps` */
  readonly resource: string;
  /** The text after the user's name in a refusal. */
  readonly cannot: string;
  /** `deployments.apps "seeded"` */
  readonly subject: string;
}

interface Served {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly subresources: readonly { readonly name: string }[];
}

/** The member's kinds; they need not be served for a refusal, but are. */
const custom: readonly Served[] = ['works', 'heartbeats'].map((plural) => ({
  group: 'example.com',
  version: 'v1',
  plural,
  namespaced: true,
  subresources: [{ name: 'status' }],
}));

const verbs: readonly (readonly [verb: string, method: string, form: 'object' | 'collection', query?: string])[] = [
  ['get', 'GET', 'object'],
  ['list', 'GET', 'collection'],
  ['watch', 'GET', 'collection', '?watch=true'],
  ['create', 'POST', 'collection'],
  ['update', 'PUT', 'object'],
  ['patch', 'PATCH', 'object'],
  ['delete', 'DELETE', 'object'],
  ['deletecollection', 'DELETE', 'collection'],
];

export function* everyRequest(name: string): Generator<MatrixRequest> {
  for (const served of [...servedResources, ...custom]) {
    for (const scope of served.namespaced ? ['cluster', ...namespaces] : ['cluster']) {
      for (const [verb, method, form, query = ''] of verbs) {
        yield request(served, { scope, verb, method, name: form === 'object' ? name : '', query });
      }
      for (const subresource of served.subresources) {
        for (const [verb, method, form] of verbs) {
          if (form === 'object' || verb === 'create') {
            yield request(served, { scope, verb, method, name, query: '', subresource: subresource.name });
          }
        }
      }
    }
  }
}

interface Asked {
  readonly scope: string;
  readonly verb: string;
  readonly method: string;
  readonly name: string;
  readonly query: string;
  readonly subresource?: string;
}

function request(
  { group, version, plural }: Served,
  { scope, verb, method, name, query, subresource = '' }: Asked,
): MatrixRequest {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = scope === 'cluster' ? '' : `/namespaces/${scope}`;
  const rest = [plural, name, subresource].filter((part) => part !== '').join('/');
  const full = subresource === '' ? plural : `${plural}/${subresource}`;
  // RBAC treats a Namespace as an object in itself.
  const namespace = scope === 'cluster' ? (plural === 'namespaces' ? name : '') : scope;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return {
    method,
    target: `${root}${place}/${rest}${query}`,
    scope,
    verb,
    resource: qualified(full, group),
    cannot: `cannot ${verb} resource "${full}" in API group "${group}" ${where}`,
    subject: name === '' ? qualified(plural, group) : `${qualified(plural, group)} "${name}"`,
  };
}
