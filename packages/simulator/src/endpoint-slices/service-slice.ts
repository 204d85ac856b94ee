import { networkKinds, type EndpointPort, type EndpointSlice, type Service } from '../network-kinds.ts';
import { isHeadless, type IpFamily } from '../services/pod-endpoint.ts';
import { managedByLabel, newSlice, serviceNameLabel, type SliceManager } from './slice-object.ts';

export const sliceManager: SliceManager = 'endpointslice-controller.k8s.io';

const headlessLabel = 'service.kubernetes.io/headless';

/** An empty slice of the Service. */
export function newServiceSlice(
  service: Readonly<Service>,
  addressType: IpFamily,
  ports: readonly EndpointPort[],
): EndpointSlice {
  return newSlice(networkKinds.service, service, { labels: sliceLabels(service), addressType, ports });
}

export function sliceLabels(service: Readonly<Service>): Record<string, string> {
  return {
    ...inheritedLabels(service.metadata.labels),
    ...(isHeadless(service) && { [headlessLabel]: '' }),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: sliceManager,
  };
}

/** Without labels that say what a slice is. */
export function inheritedLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [serviceNameLabel]: _name, [managedByLabel]: _manager, [headlessLabel]: _headless, ...others } = labels;
  return others;
}
