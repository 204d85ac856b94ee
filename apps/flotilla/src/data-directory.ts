/** Where `flotilla` keeps its data unless told: beside the project, where a user finds it and git ignores it. */
export const defaultDataDirectory = '.data/hub';
