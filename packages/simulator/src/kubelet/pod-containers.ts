import type { Container, ContainerStatus, PodSpec } from '../kinds.ts';
import type { RestartPolicy } from './container-run.ts';

/** An init container that runs beside the others. */
export function isSidecar({ restartPolicy }: Readonly<Container>): boolean {
  return restartPolicy === 'Always';
}

/** Init containers that ended well do not start again. */
export function restartPolicyOf(
  container: Readonly<Container>,
  spec: Readonly<PodSpec> | undefined,
  isInit: boolean,
): RestartPolicy {
  const policy = container.restartPolicy ?? spec?.restartPolicy ?? 'Always';
  if (policy === 'Never' || policy === 'OnFailure') return policy;
  return isInit && !isSidecar(container) ? 'OnFailure' : 'Always';
}

export function statusNamed(
  statuses: readonly Readonly<ContainerStatus>[] | undefined,
  { name }: Readonly<Container>,
): Readonly<ContainerStatus> | undefined {
  return statuses?.find((status) => status.name === name);
}
