// The library of the terminal chat, loaded only where something is drawn for a person.

export type TuiLibrary = typeof import("@earendil-works/pi-tui");

export async function loadTuiLibrary(): Promise<TuiLibrary> {
  const library = await import("@earendil-works/pi-tui");
  // A link shows where it leads: hidden behind other words, a model could send a person anywhere.
  library.setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  return library;
}
