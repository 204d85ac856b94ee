/**
 * Definitions of Azure's fleet networking. Members report exported Services in them, and KubeFleet's suites expect them on
 * the hub. Flotilla runs no controller for them.
 */
import { s, type CustomResourceDefinition } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { networkingApi } from '../groups.ts';
import { condition } from '../parts/condition.ts';

const categories = ['fleet-networking'];
const subresources = { status: {} };
const versions = { v1alpha1: {} };

function exportedObject(description: string) {
  return s.object(description, {
    clusterId: s.string('Cluster that exports the object.'),
    apiVersion: s.optional(s.string('Group and version of the object.')),
    kind: s.string('Kind of the object.'),
    namespace: s.string('Namespace of the object.'),
    name: s.string('Name of the object.'),
    resourceVersion: s.string('Resource version of the object.'),
    generation: s.integer('Generation of the object.', { format: 'int64' }),
    uid: s.string('UID of the object.'),
    namespacedName: s.string('Namespace and name of the object, with a slash between them.'),
    exportedSince: s.optional(s.dateTime('When this generation was exported, by the clock of the cluster.')),
  });
}

const servicePorts = s.list(
  s.object('One port of a Service.', {
    name: s.optional(s.string('Name of the port; only a single port may have none.')),
    protocol: s.withDefault(s.oneOf(['TCP', 'UDP', 'SCTP'], 'Protocol of the port.'), 'TCP'),
    appProtocol: s.optional(s.string('Application protocol of the port.')),
    port: s.integer('Number of the port.', { format: 'int32', minimum: 1, maximum: 65_535 }),
    targetPort: s.optional(s.intOrString('Port of the pods, by number or by name.')),
  }),
  'Ports of the Service.',
  { atomic: true },
);

const endpointSliceExport = defineVersions(
  { ...networkingApi, kind: 'EndpointSliceExport', plural: 'endpointsliceexports', namespaced: true },
  {
    description: 'An EndpointSlice of a member, as the member reports it to the hub.',
    categories,
    subresources,
    versions,
    fields: {
      spec: s.object('Content of the EndpointSlice.', {
        addressType: s.requiredWithDefault(s.oneOf(['IPv4'], 'Type of all addresses.'), 'IPv4'),
        endpoints: s.list(
          s.object('One endpoint.', { addresses: s.list(s.string('An address.'), 'Addresses of the endpoint.') }),
          'Endpoints of the slice.',
          { atomic: true },
        ),
        ports: s.optional(
          s.list(
            s.object('One port of all endpoints.', {
              name: s.optional(s.string('Name of the port; unique in the slice.')),
              protocol: s.withDefault(s.string('Protocol of the port.'), 'TCP'),
              port: s.optional(s.integer('Number of the port; without it, all ports.', { format: 'int32' })),
              appProtocol: s.optional(s.string('Application protocol of the port.')),
            }),
            'Ports of the endpoints.',
            { atomic: true },
          ),
        ),
        endpointSliceReference: exportedObject('The exported EndpointSlice.'),
        ownerServiceReference: s.object('The Service of the EndpointSlice.', {
          namespace: s.string('Namespace of the Service.'),
          name: s.string('Name of the Service.'),
          namespacedName: s.string('Namespace and name of the Service, with a slash between them.'),
        }),
      }),
    },
  },
);

const internalServiceExport = defineVersions(
  { ...networkingApi, kind: 'InternalServiceExport', plural: 'internalserviceexports', namespaced: true },
  {
    description: 'An exported Service of a member, as the member reports it to the hub.',
    shortNames: ['internalsvcexport'],
    categories,
    subresources,
    versions,
    fields: {
      spec: s.optional(
        s.object('Content of the Service.', {
          ports: servicePorts,
          serviceReference: exportedObject('The exported Service.'),
        }),
      ),
      status: s.optional(
        s.object('Observed state of the export.', {
          conditions: s.optional(s.listByKey('type', condition, 'Whether the export is valid and free of conflicts.')),
        }),
      ),
    },
  },
);

const sessionAffinityConfig = s.object('Settings of the session affinity.', {
  clientIP: s.optional(
    s.object('Settings of the affinity by client address.', {
      timeoutSeconds: s.optional(s.integer('How long a session lasts, in seconds.', { format: 'int32' })),
    }),
  ),
});

const internalServiceImport = defineVersions(
  { ...networkingApi, kind: 'InternalServiceImport', plural: 'internalserviceimports', namespaced: true },
  {
    description: 'A Service that a member wants to import from the fleet.',
    shortNames: ['internalsvcimport'],
    categories,
    subresources,
    versions,
    fields: {
      spec: s.object('What to import.', {
        serviceImportReference: exportedObject('The ServiceImport on the member.'),
      }),
      status: s.optional(
        s.object('Observed state of the imported Service.', {
          type: s.optional(s.oneOf(['ClusterSetIP', 'Headless'], 'Type of the Service.')),
          ips: s.optional(s.list(s.string('An address.'), 'Virtual address of the Service.', { maxItems: 1 })),
          ports: s.optional(servicePorts),
          clusters: s.optional(
            s.listByKey(
              'cluster',
              s.object('One exporting cluster.', { cluster: s.string('Name of the cluster.') }),
              'Clusters that export the Service.',
            ),
          ),
          sessionAffinity: s.optional(s.string('`ClientIP` or `None`.')),
          sessionAffinityConfig: s.optional(sessionAffinityConfig),
        }),
      ),
    },
  },
);

export const allNetworkingDefinitions: readonly CustomResourceDefinition[] = [
  endpointSliceExport,
  internalServiceExport,
  internalServiceImport,
];
