export function createBuildFolder(root: string): string;
export function finishBuild(root: string, folder: string, stamp: string): void;
export function isUpToDate(root: string): boolean;
export function readStamp(root: string): string;
