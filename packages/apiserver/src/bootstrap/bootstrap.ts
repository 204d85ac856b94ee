import type { ApiServer } from '../server/server.ts';
import { defaultFlowSchemas } from './default-flow-schemas.ts';
import { defaultPriorityLevels } from './default-priority-levels.ts';
import { ensure } from '../own-requests/ensure-object.ts';
import { localApiServices } from './local-api-services.ts';
import { ensurePolicy } from './rbac/ensure-policy.ts';
import { kubernetesService, kubernetesServiceCidr } from './service-objects.ts';
import { standardNamespaces } from './standard-namespaces.ts';
import { systemPriorityClasses } from './system-priority-classes.ts';

/**
 * What every cluster has from its first moment, made through the front door like anybody's objects. Requests that need not wait
 * for each other are sent together, so that they share a commit.
 */
export async function bootstrap(api: ApiServer, port: number): Promise<void> {
  const { handle, parts, serviceCidr, started } = api;
  const now = parts.now();
  await Promise.all(standardNamespaces.map((namespace) => ensure(handle, namespace, now)));
  const objects = [
    kubernetesServiceCidr(serviceCidr),
    kubernetesService(port, serviceCidr),
    ...systemPriorityClasses,
    ...defaultPriorityLevels,
    ...defaultFlowSchemas,
    ...localApiServices((group, version) => parts.registry.hasVersion(group, version)),
  ];
  await Promise.all([...objects.map((object) => ensure(handle, object, now)), ensurePolicy(handle, parts.store)]);
  started();
}
