import { YamlError } from './yaml-error.ts';

/** Between these counts of nodes the share that aliases may have falls from nearly all to a tenth. */
const smallDocumentNodes = 400_000;
const largeDocumentNodes = 4_000_000;

/** Repeated text counts little as nodes, but would fill the memory. */
const maxRepeatedCharacters = 16 * 1024 * 1024;

/** How much of a document may come from aliases, as Go's library counts it. */
export class AliasBudget {
  #nodes = 0;
  #repeatedNodes = 0;
  #repeatedCharacters = 0;

  spend(characters: number, isRepeated: boolean): void {
    this.#nodes++;
    if (!isRepeated) return;
    this.#repeatedNodes++;
    this.#repeatedCharacters += characters;
    if (this.#isExcessive()) throw new YamlError('document contains excessive aliasing');
  }

  #isExcessive(): boolean {
    if (this.#repeatedCharacters > maxRepeatedCharacters) return true;
    if (this.#repeatedNodes <= 100 || this.#nodes <= 1000) return false;
    return this.#repeatedNodes / this.#nodes > allowedShare(this.#nodes);
  }
}

function allowedShare(nodes: number): number {
  if (nodes <= smallDocumentNodes) return 0.99;
  if (nodes >= largeDocumentNodes) return 0.1;
  return 0.99 - (0.89 * (nodes - smallDocumentNodes)) / (largeDocumentNodes - smallDocumentNodes);
}
