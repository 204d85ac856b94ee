import { apiErrors } from '@flotilla/kube';
import { recheckAdmission, type AdmissionDependencies, type Attributes } from '../admission/admission.ts';
import type { Resource } from '../resources/resource.ts';
import type { Server } from '../call/server.ts';
import type { RemoteWrite } from './host-functions.ts';

type Dependencies = Pick<Server, 'registry' | keyof AdmissionDependencies>;

/**
 * Time passes between the admission of a job and its write. If the namespace or the definition is deleted meanwhile, nothing would
 * ever delete the new object. So creates are checked again when the store accepts them.
 */
export function recheckCreate(server: Dependencies, resource: Resource, { verb, expected, key }: RemoteWrite): void {
  if (verb !== 'put' || expected !== 0) return;
  const { group, version, plural } = resource;
  const current = server.registry.find(group, version, plural);
  if (!current) throw apiErrors.unknownPath();
  const slash = current.namespaced ? key.name.indexOf('/') : -1;
  const attributes: Attributes = {
    operation: 'CREATE',
    resource: current,
    subresource: '',
    namespace: slash < 0 ? '' : key.name.slice(0, slash),
    name: key.name.slice(slash + 1),
    object: undefined,
    oldObject: undefined,
    user: { name: '', groups: [] },
    dryRun: false,
    server,
    warnings: [],
  };
  recheckAdmission(attributes);
}
