import type { ContainerFields } from '../container-fields.ts';
import type { PodSpecFields } from '../pod-fields.ts';

/** Every container with its path: init containers first, then the others, then ephemeral ones. */
export function visitContainers(
  spec: PodSpecFields,
  path: string,
  visit: (container: ContainerFields, path: string) => void,
): void {
  spec.initContainers?.forEach((container, i) => visit(container, `${path}.initContainers[${i}]`));
  spec.containers?.forEach((container, i) => visit(container, `${path}.containers[${i}]`));
  spec.ephemeralContainers?.forEach((container, i) => visit(container, `${path}.ephemeralContainers[${i}]`));
}
