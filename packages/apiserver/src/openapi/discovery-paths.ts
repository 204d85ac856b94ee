import { mediaTypes } from '../request/negotiate.ts';
import { groupVersionId, tagOf, type Operation, type Path } from './operation.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const types = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];

/** The paths that describe the API itself. */
export const discoveryPaths = {
  core: (): Path => document('/api/', 'getCoreAPIVersions', 'core', `${meta}.APIVersions`),
  groups: (): Path => document('/apis/', 'getAPIVersions', 'apis', `${meta}.APIGroupList`),
  group: (group: string): Path =>
    document(`/apis/${group}/`, `get${groupVersionId(group, '')}APIGroup`, tagOf(group, ''), `${meta}.APIGroup`),
  groupVersion: (group: string, version: string): Path => {
    const root = group === '' ? '/api' : `/apis/${group}`;
    const id = `get${groupVersionId(group, version)}APIResources`;
    return document(`${root}/${version}/`, id, tagOf(group, version), `${meta}.APIResourceList`);
  },
  version: (): Path =>
    document('/version/', 'getCodeVersion', 'version', 'io.k8s.apimachinery.pkg.version.Info', [mediaTypes.json]),
  issuer: (): Path => {
    const id = 'getServiceAccountIssuerOpenIDConfiguration';
    return withoutBody(document('/.well-known/openid-configuration/', id, 'WellKnown', undefined, [mediaTypes.json]));
  },
  issuerKeys: (): Path => {
    const id = 'getServiceAccountIssuerOpenIDKeyset';
    return withoutBody(document('/openid/v1/jwks/', id, 'openid', undefined, ['application/jwk-set+json']));
  },
};

function document(
  path: string,
  id: string,
  tag: string,
  model: string | undefined,
  mediaTypesOf: readonly string[] = types,
): Path {
  const operation: Operation = {
    method: 'get',
    id,
    tag,
    parameters: [],
    consumes: mediaTypesOf,
    produces: mediaTypesOf,
    answer: { ...(model !== undefined && { model }), codes: ['200'] },
  };
  return { path, parameters: [], operations: [operation] };
}

function withoutBody(path: Path): Path {
  return { ...path, operations: path.operations.map((operation) => ({ ...operation, consumes: [] })) };
}
