// A click shows a picture large; everything else works without this.
const large = document.getElementById("large");
for (const image of document.querySelectorAll(".grid img")) {
  image.addEventListener("click", () => {
    large.querySelector("img").src = image.src;
    large.querySelector("p").textContent = image.alt;
    large.showModal();
  });
}
large.addEventListener("click", () => large.close());
