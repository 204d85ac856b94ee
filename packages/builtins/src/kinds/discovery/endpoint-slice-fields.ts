import type { KubeObject } from '@flotilla/kube';

interface EndpointSliceFields {
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
}

export interface Endpoint {
  readonly addresses?: readonly string[] | null;
  nodeName?: string;
  readonly hostname?: string;
  readonly hints?: EndpointHints;
  deprecatedTopology?: Record<string, string>;
}

export interface EndpointHints {
  readonly forZones?: readonly { readonly name: string }[];
  readonly forNodes?: readonly { readonly name: string }[];
}

export interface EndpointPort {
  name?: string;
  protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
}

export function endpointSliceOf(object: KubeObject): EndpointSliceFields {
  return object as KubeObject & EndpointSliceFields;
}
