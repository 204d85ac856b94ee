import { homedir } from 'node:os';

/** In a container, a user may have neither HOME nor an entry in the list of users. Its home is `/`, as container runtimes say. */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
