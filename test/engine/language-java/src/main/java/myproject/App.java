package myproject;

/** With it, Maven downloads all that a program in Java needs. */
public class App {
    public static void main(String[] args) {
    }
}
