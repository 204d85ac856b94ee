import { nameIsDnsSubdomain, type FieldError, type KubeObject } from '@flotilla/kube';
import {
  column,
  containerImages,
  containerNames,
  containersColumn,
  imagesColumn,
  labelsText,
  nameColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationIf, startGeneration } from '../prepare-update.ts';
import { dropGatedTemplateFields } from './gated-fields.ts';
import { setTemplateDefaultsOf } from './pod-defaults.ts';
import type { PodTemplateFields } from './pod-fields.ts';
import { checkPodTemplate } from './pod-validation/pod.ts';
import { templateWarnings } from './pod-warnings.ts';
import { semanticEqual } from '../semantic-equal.ts';

interface PodTemplateObject extends KubeObject {
  template: PodTemplateFields;
}

export const podTemplateKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  setDefaults: (object) => setTemplateDefaultsOf(object as PodTemplateObject),
  prepareForCreate(object) {
    startGeneration(object);
    dropGatedTemplateFields((object as PodTemplateObject).template);
  },
  prepareForUpdate(object, old) {
    const { template } = object as PodTemplateObject;
    dropGatedTemplateFields(template);
    bumpGenerationIf(!semanticEqual(template, (old as PodTemplateObject).template), object, old);
  },
  validate,
  validateUpdate: validate,
  warnings(object, old) {
    const isSame = old !== undefined && object.metadata.generation === old.metadata.generation;
    return isSame ? [] : templateWarnings('template', (object as PodTemplateObject).template);
  },
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  columns: {
    definitions: [nameColumn, containersColumn, imagesColumn, column('Pod Labels', 'string', 'Labels of the pods.')],
    cells(object) {
      const { metadata, template } = object as PodTemplateObject;
      const containers = template.spec.containers ?? undefined;
      const labels = labelsText(template.metadata?.labels);
      return [metadata.name ?? '', containerNames(containers), containerImages(containers), labels];
    },
  },
};

function validate(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  checkPodTemplate(errors, 'template', (object as PodTemplateObject).template);
  return errors;
}
