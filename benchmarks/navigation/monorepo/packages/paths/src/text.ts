export const headline = (text: string): string => `# ${text}`;

export namespace Text.Format {
  export const bold = (text: string): string => `**${text}**`;
}

export const strong = Text.Format.bold;
