import type { PodTemplate } from '../kinds.ts';

/** This image does not exist, in any registry and under any tag. */
const missingImage = 'random-image-name';

/** Whether pods of this template would start. */
export function canRun(template: PodTemplate | undefined): boolean {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  return [...initContainers, ...containers].every(({ image = '' }) => nameOf(image) !== missingImage);
}

/** The name in `registry:5000/path/name:tag@digest`. */
function nameOf(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.split(/[:@]/, 1)[0] ?? '';
}
