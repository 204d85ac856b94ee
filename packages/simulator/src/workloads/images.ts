import type { PodTemplate } from '../kinds.ts';

/** An image by this name is nowhere to be found, under no tag. */
const missingImage = 'random-image-name';

/** Whether pods of this template would come up. */
export function canRun(template: PodTemplate | undefined): boolean {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  return [...initContainers, ...containers].every(({ image = '' }) => nameOf(image) !== missingImage);
}

/** `registry:5000/path/name:tag@digest` without everything but its name. */
function nameOf(image: string): string {
  const last = image.slice(image.lastIndexOf('/') + 1);
  return last.split(/[:@]/, 1)[0] ?? '';
}
