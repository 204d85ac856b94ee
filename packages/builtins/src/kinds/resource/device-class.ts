import {
  dns1123SubdomainProblems,
  invalid,
  nameIsDnsSubdomain,
  qualifiedNameProblems,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import { validateItems } from './device-names.ts';
import {
  validateConfiguration,
  validateSelectors,
  type SelectorContext,
  type DeviceConfiguration,
  type DeviceSelector,
} from './device-claim-fields.ts';

interface DeviceClassSpec {
  readonly selectors?: readonly DeviceSelector[];
  readonly config?: readonly DeviceConfiguration[];
  readonly extendedResourceName?: string;
}

const maxConfigurations = 32;

export const deviceClassKind: KindBehavior = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'DeviceClass',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate: startGeneration,
  prepareForUpdate: bumpGenerationOnSpec,
  validate: validateDeviceClass,
  validateUpdate: (object, _old, context) => validateDeviceClass(object, context),
  columns: {
    definitions: [nameColumn, ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
  },
};

function validateDeviceClass(object: KubeObject, context: SelectorContext): FieldError[] {
  const { spec = {} } = object as KubeObject & { readonly spec?: DeviceClassSpec };
  const { selectors, config = [], extendedResourceName: resource } = spec;
  const errors = [
    ...validateSelectors(selectors, 'spec.selectors', context),
    ...validateItems(config, maxConfigurations, validateConfiguration, 'spec.config'),
  ];
  if (resource === undefined || isExtendedResource(resource)) return errors;
  return [...errors, invalid('spec.extendedResourceName', resource, 'must be a valid extended resource name')];
}

/** A name with a domain that stays valid with the prefix of quotas. */
function isExtendedResource(name: string): boolean {
  const [domain = ''] = name.split('/');
  const isForeign = name.includes('/') && !domain.endsWith('kubernetes.io') && !name.startsWith('requests.');
  return (
    isForeign && dns1123SubdomainProblems(domain).length === 0 && qualifiedNameProblems(`requests.${name}`).length === 0
  );
}
